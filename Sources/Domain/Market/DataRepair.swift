/// What became of the newest span in which data may have been lost.
public struct DataRepair: Sendable, Hashable {
    /// Why a span could not be filled.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The API serves its newest data alone: 1.x serves one page.
        case onePage
        /// The loss exceeds the number of rows that are read.
        case tooLong
        /// The exchange has no older data.
        case notServed
        /// Some rows could not be read.
        case unreadable
    }

    /// The span, in exchange time.
    public var span: Range<Timestamp>
    /// Why it could not be filled; nil if it was.
    public var failure: Reason?

    /// Makes a result.
    public init(span: Range<Timestamp>, failure: Reason? = nil) {
        self.span = span
        self.failure = failure
    }
}
