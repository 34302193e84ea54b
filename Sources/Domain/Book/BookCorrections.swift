/// Counts how often a snapshot corrected a local order book, by reason.
public struct BookCorrections: Sendable, Hashable {
    /// Why a book differed from a snapshot.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Changes were lost with the connection, and the loss was known.
        case loss
        /// The sides crossed: a change was missing or out of order.
        case crossed
        /// The book differed although no problem was known.
        case mismatch
    }

    /// Corrections after a known loss.
    public private(set) var afterLoss = 0
    /// Corrections of crossed books.
    public private(set) var ofCrossed = 0
    /// Corrections of books without a known problem.
    public private(set) var ofMismatch = 0

    /// All counts are zero.
    public init() {}

    /// Sum over all reasons.
    public var total: Int { afterLoss + ofCrossed + ofMismatch }

    /// Number of corrections for a reason.
    public subscript(reason: Reason) -> Int {
        switch reason {
        case .loss: afterLoss
        case .crossed: ofCrossed
        case .mismatch: ofMismatch
        }
    }

    mutating func count(_ reason: Reason) {
        switch reason {
        case .loss: afterLoss += 1
        case .crossed: ofCrossed += 1
        case .mismatch: ofMismatch += 1
        }
    }

    /// Adds the corrections of one book since an earlier state of it.
    mutating func add(_ after: BookCorrections, since before: BookCorrections) {
        afterLoss += after.afterLoss - before.afterLoss
        ofCrossed += after.ofCrossed - before.ofCrossed
        ofMismatch += after.ofMismatch - before.ofMismatch
    }
}
