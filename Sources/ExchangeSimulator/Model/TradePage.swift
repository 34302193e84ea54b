import Domain

/// The trades that one answer of `trades/ticks` selects.
struct TradePage: Sendable, Equatable {
    /// How many, newest first.
    let count: Int
    /// Trades are earlier than this; nil for no limit.
    let end: Timestamp?
    /// Trades have a smaller `sequential_id`; nil for no limit.
    let cursor: Int64?
    /// Whether the trade at the cursor belongs to the page too.
    let isCursorInclusive: Bool
    /// The start of the oldest day kept.
    let start: Timestamp

    /// How many days before today are kept.
    static let daysMax = 7

    /// Whether the page may have this trade.
    func includes(_ trade: SimulatedTrade) -> Bool {
        if trade.at < start { return false }
        if let end, trade.at >= end { return false }
        guard let cursor else { return true }
        return isCursorInclusive
            ? trade.sequentialID <= cursor : trade.sequentialID < cursor
    }

    /// The minutes that may have trades of the page.
    var minutes: Range<Int> {
        let first = SeoulMinute.number(of: start)
        var last = Int.max - 1
        if let end { last = min(last, SeoulMinute.number(of: end)) }
        if let cursor {
            last = min(last, SeoulMinute.number(of: SimulatedTrade.time(ofID: cursor)))
        }
        return first..<max(first, last + 1)
    }
}
