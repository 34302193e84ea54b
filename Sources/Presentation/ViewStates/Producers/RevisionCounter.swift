import Synchronization

/// Counts the versions of the documents of one process: no two of them have the same number, so
/// that a reader's revision of one document is never taken for one of another.
public final class RevisionCounter: Sendable {
    private let count = Atomic<UInt64>(0)

    /// Makes a counter whose first number is 1.
    public init() {}

    /// The next number.
    func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
