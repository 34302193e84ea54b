/// How long to wait between attempts to connect: 0.1 s doubling to 5 s, each wait random between
/// half of that and the whole, so that many clients do not come back at once.
struct ConnectBackoff: Sendable {
    private static let shortest = Duration.milliseconds(100)
    private static let longest = Duration.seconds(5)

    private var next = shortest

    /// Notes a failed attempt.
    ///
    /// - Parameter random: uniformly random bits.
    /// - Returns: how long to wait before the next one.
    mutating func failed(random: UInt64) -> Duration {
        let whole = next
        next = min(next * 2, Self.longest)
        return whole / 2 + whole / 2 * Int(random % 1_025) / 1_024
    }

    /// Notes that a connection was opened.
    mutating func succeeded() { next = Self.shortest }
}
