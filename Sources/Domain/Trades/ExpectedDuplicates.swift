/// What REST told while the stream had told less: trades that the stream may bring as well.
///
/// Which of them it brings is decided by the rule of ``TradeTape/join(_:)`` as soon as it has
/// brought enough; until then the longest run that is still possible counts. No more trades are
/// held than REST told rows: with as many the rule has decided.
struct ExpectedDuplicates: Sendable, Hashable {
    /// A trade of the stream.
    struct Heard: Sendable, Hashable {
        let at: Timestamp
        let row: TradeHistory.Row
        /// Whether it is on the tape beside all rows of REST, not for one of them.
        fileprivate(set) var isTaped = false
    }

    private let rows: [TradeHistory.Row]
    /// The trades of the stream in the order of time.
    private var heard: [Heard]
    /// The place of the row that the stream's first trade is; the number of rows if it is none.
    private var start: Int

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - rows: what REST told, oldest first.
    ///   - first: the stream's trades so far, all of which stand on the tape for rows.
    init(rows: [TradeHistory.Row], first: [TapedTrade]) {
        self.rows = rows
        heard = first.map { Heard(at: $0.id.at, row: $0.row) }
        start = rows.startOfRun(of: first.map(\.row))
    }

    /// How many rows the stream is expected to bring yet.
    var unheardCount: Int { max(0, rows.count - start - heard.count) }

    /// Whether the rule has decided which rows the stream brought.
    var isDecided: Bool { unheardCount == 0 }

    /// Compares a trade of the stream.
    mutating func hear(_ trade: Heard) {
        let place = heard.lastIndex { $0.at <= trade.at }.map { $0 + 1 } ?? 0
        heard.insert(trade, at: place)
        start = rows.startOfRun(of: heard.map(\.row))
    }

    /// The stream's trades that are no row of REST after all and are not on the tape yet.
    mutating func takeUnexplained() -> [Heard] {
        let explained = min(rows.count - start, heard.count)
        var trades: [Heard] = []
        for place in explained..<heard.count where !heard[place].isTaped {
            heard[place].isTaped = true
            trades.append(heard[place])
        }
        return trades
    }
}

extension ExpectedDuplicates.Heard {
    init(_ trade: Trade) {
        at = trade.executedAt
        row = TradeHistory.Row(
            second: trade.executedAt.second,
            price: trade.price,
            quantity: trade.quantity,
            side: trade.side
        )
    }
}

extension Collection<TradeHistory.Row> where Index == Int {
    /// The first place from which on the rows are those of `stream`, up to where one of both ends.
    ///
    /// - Returns: `endIndex` if there is no such run.
    func startOfRun(of stream: [TradeHistory.Row]) -> Int {
        guard let first = stream.first else { return startIndex }
        return indices.first { place in
            // Two trades of a second are seldom equal, so most places are ruled out at once.
            self[place] == first && zip(self[place...], stream).allSatisfy { $0 == $1 }
        } ?? endIndex
    }
}
