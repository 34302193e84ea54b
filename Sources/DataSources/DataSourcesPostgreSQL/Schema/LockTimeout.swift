/// How long a migration waits for one lock.
///
/// Short at first, because readers queue behind it; after each failed try twice as long, because
/// many writers may leave no shorter pause.
struct LockTimeout: Sendable {
    private var milliseconds = 50

    /// The longest wait: users feel it as a pause.
    static let millisecondsMax = 1_000

    /// As PostgreSQL's settings have it.
    var text: String { "\(milliseconds)ms" }

    /// Doubles the wait, up to ``millisecondsMax``.
    mutating func increase() { milliseconds = min(2 * milliseconds, Self.millisecondsMax) }
}
