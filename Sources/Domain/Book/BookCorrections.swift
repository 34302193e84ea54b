/// How often a followed book was found different from a snapshot and mended, by what was known of
/// it before.
public struct BookCorrections: Sendable, Hashable {
    /// Why a book was not as the snapshot said.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Changes were lost with the connection, and that was known.
        case loss
        /// Its sides crossed: a change was missing or came out of order.
        case crossed
        /// Nothing was known to be wrong.
        case mismatch
    }

    /// Those after a known loss.
    public private(set) var afterLoss = 0
    /// Those of books whose sides crossed.
    public private(set) var ofCrossed = 0
    /// Those that nothing had announced.
    public private(set) var ofMismatch = 0

    /// Nothing was mended yet.
    public init() {}

    /// All of them.
    public var total: Int { afterLoss + ofCrossed + ofMismatch }

    /// How many had that reason.
    public subscript(reason: Reason) -> Int {
        switch reason {
        case .loss: afterLoss
        case .crossed: ofCrossed
        case .mismatch: ofMismatch
        }
    }

    /// Counts one more.
    mutating func count(_ reason: Reason) {
        switch reason {
        case .loss: afterLoss += 1
        case .crossed: ofCrossed += 1
        case .mismatch: ofMismatch += 1
        }
    }

    /// Adds what a book has more than it had before.
    mutating func add(_ after: BookCorrections, since before: BookCorrections) {
        afterLoss += after.afterLoss - before.afterLoss
        ofCrossed += after.ofCrossed - before.ofCrossed
        ofMismatch += after.ofMismatch - before.ofMismatch
    }
}
