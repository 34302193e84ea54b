/// Trades known from REST in whole seconds that the stream may still repeat.
///
/// ``TradeTape/join(_:)`` decides which ones the stream repeats as soon as enough trades have
/// arrived. Until then the longest possible run is assumed. Live trades that end it were no
/// repeats, unless the first of them must be one: then the stream lost a row or sends it late, and
/// the rest is compared as ``ExpectedRepeats``. The number of held trades
/// never exceeds the number of REST rows; at that number the decision is made.
struct ExpectedDuplicates: Sendable, Hashable {
    /// A live trade.
    struct LiveTrade: Sendable, Hashable {
        let at: Timestamp
        let row: TradeHistory.Row
        /// Whether the tape has it in addition to all REST rows.
        fileprivate(set) var isTaped = false
    }

    private let rows: [TradeHistory.Row]
    /// Live trades by time.
    private var live: [LiveTrade]
    /// Index of the row that the first live trade equals; the number of rows if none.
    private var start: Int
    /// Whether the first live trade equals a row and was told before REST was read.
    private let beganWithRow: Bool

    /// Starts with REST's rows and the live trades so far.
    ///
    /// - Parameters:
    ///   - rows: REST's rows, oldest first.
    ///   - first: live trades so far; each stands on the tape for a row.
    ///   - requestedAt: when REST was asked, in exchange time; nil if that is unknown.
    init(rows: [TradeHistory.Row], first: [TapedTrade], requestedAt: Timestamp? = nil) {
        self.rows = rows
        live = first.map { LiveTrade(at: $0.id.at, row: $0.row(in: .second)) }
        start = rows.startOfRun(of: first.map { $0.row(in: .second) })
        beganWithRow =
            if let told = first.first?.id.at, let requestedAt {
                told < requestedAt && start < rows.count
            } else {
                false
            }
    }

    /// Number of rows the stream is still expected to repeat.
    var remainingCount: Int { max(0, rows.count - start - live.count) }

    /// Whether it is decided which rows the stream repeated.
    var isDecided: Bool { remainingCount == 0 }

    /// Whether the first live trade must be a row: REST has the trades that were told before it was
    /// read, and all trades of the seconds before its last one.
    private var isProven: Bool {
        if beganWithRow { return true }
        guard let first = live.first, let last = rows.last else { return false }
        return first.row.at < last.at
    }

    /// Compares a live trade with the rows.
    ///
    /// - Returns: false if the live trades must be rows, but are no run of them.
    mutating func add(_ trade: LiveTrade) -> Bool {
        let wasProven = isProven
        let place = live.lastIndex { $0.at <= trade.at }.map { $0 + 1 } ?? 0
        live.insert(trade, at: place)
        start = rows.startOfRun(of: live.map(\.row))
        return start < rows.count || !wasProven
    }

    /// Live trades that turned out not to be a REST row and are not on the tape yet.
    mutating func removeUnmatched() -> [LiveTrade] {
        let matched = min(rows.count - start, live.count)
        var trades: [LiveTrade] = []
        for place in matched..<live.count where !live[place].isTaped {
            live[place].isTaped = true
            trades.append(live[place])
        }
        return trades
    }
}

extension ExpectedDuplicates.LiveTrade {
    init(_ trade: Trade) {
        at = trade.executedAt
        row = trade.row(in: .second)
    }
}

extension Collection<TradeHistory.Row> where Index == Int {
    /// The first index from which the rows equal `stream` until one of them ends.
    ///
    /// - Returns: `endIndex` if there is no such run.
    func startOfRun(of stream: [TradeHistory.Row]) -> Int {
        guard let first = stream.first else { return startIndex }
        return indices.first { place in
            // Two trades of one second are rarely equal, so most indices fail at once.
            self[place] == first && zip(self[place...], stream).allSatisfy { $0 == $1 }
        } ?? endIndex
    }
}
