/// Trades known from REST in milliseconds that the stream may still repeat.
///
/// A live trade repeats a row of its millisecond with its price, quantity and side; the clocks of
/// REST and stream may differ by ``clockDifference``. The stream of a market is in order, so rows
/// that it has passed by ``lateness`` were lost by it. The tape bounds the number of rows.
struct ExpectedRepeats: Sendable, Hashable {
    /// The difference of two times of one trade.
    static let clockDifference: Duration = .milliseconds(1)
    /// How much earlier than the newest live trade a late one may be.
    static let lateness: Duration = .seconds(1)

    /// The rows by time, as they stand on the tape.
    private(set) var rows: [TapedTrade]
    /// Whether rows that are not repeated were lost; before the first trade they are history.
    private let tellsLost: Bool

    /// Awaits these rows, ascending by time; nil without any.
    init?(_ rows: [TapedTrade], tellsLost: Bool) {
        guard !rows.isEmpty else { return nil }
        self.rows = rows
        self.tellsLost = tellsLost
    }

    /// The rows, where they count as lost if the stream ends.
    var lost: [TapedTrade] { tellsLost ? rows : [] }

    /// Compares a live trade with the rows.
    ///
    /// - Returns: whether it repeats one, and the rows that the stream has passed.
    mutating func compare(_ trade: Trade) -> (isRepeat: Bool, lost: [TapedTrade]) {
        let row = trade.row(in: .millisecond)
        let isRepeat = remove(row)
        let end = row.at.advanced(by: .zero - Self.lateness)
        let lost = rows.prefix { $0.id.at < end }
        rows.removeFirst(lost.count)
        return (isRepeat, tellsLost ? Array(lost) : [])
    }

    private mutating func remove(_ row: TradeHistory.Row) -> Bool {
        for shift in [.zero, Self.clockDifference, .zero - Self.clockDifference] {
            var shifted = row
            shifted.at = row.at.advanced(by: shift)
            guard let place = rows.firstIndex(where: { $0.row(in: .millisecond) == shifted })
            else { continue }
            rows.remove(at: place)
            return true
        }
        return false
    }
}

/// The trades known from REST that the stream may still repeat, by the unit of their times.
enum ExpectedTrades: Sendable, Hashable {
    /// Rows of whole seconds, which repeat as a run.
    case run(ExpectedDuplicates)
    /// Rows of whole milliseconds, which repeat in any order.
    case times(ExpectedRepeats)

    /// Number of rows the stream is still expected to repeat.
    var remainingCount: Int {
        switch self {
        case .run(let run): run.remainingCount
        case .times(let times): times.rows.count
        }
    }
}
