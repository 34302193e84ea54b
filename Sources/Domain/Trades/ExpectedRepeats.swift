/// Trades known from REST that the stream may still repeat, each on its own.
///
/// A live trade repeats a row of its time with its price, quantity and side. In milliseconds, the
/// clocks of REST and stream may differ by ``clockDifference``. While the distance is unknown each
/// possible one is tried on its own, and the one that most trades prove decides: equal trades in
/// adjacent milliseconds would else be taken for each other. The stream of a market is in order, so
/// rows that it has passed by ``lateness`` were lost by it. The tape bounds the number of rows.
struct ExpectedRepeats: Sendable, Hashable {
    /// The difference of two times of one trade.
    static let clockDifference: Duration = .milliseconds(1)
    /// The possible distances of the stream's clock from REST's.
    static let shifts: [Duration] = [.zero, clockDifference, .zero - clockDifference]
    /// How much earlier than the newest live trade a late one may be, in whole seconds up to one
    /// more; trades of a busy market arrived up to 1.44 s after their execution.
    static let lateness: Duration = .seconds(2)

    /// The matches if the stream's clock is ahead of the rows by a distance.
    private struct Assumption: Sendable, Hashable {
        let shift: Duration
        var rows: [TapedTrade]
        /// Number of live trades that have exactly this distance from a row.
        var hits = 0

        /// Removes the row that a live trade repeats.
        ///
        /// - Returns: whether there is one.
        mutating func remove(_ trade: TradeHistory.Row) -> Bool {
            if remove(trade, later: shift) {
                hits += 1
                return true
            }
            // Single trades may be rounded to another millisecond than most.
            return ExpectedRepeats.shifts.contains { $0 != shift && remove(trade, later: $0) }
        }

        private mutating func remove(_ trade: TradeHistory.Row, later shift: Duration) -> Bool {
            var row = trade
            row.at = trade.at.advanced(by: .zero - shift)
            guard let place = rows.firstIndex(where: { $0.row(in: .millisecond) == row })
            else { return false }
            rows.remove(at: place)
            return true
        }
    }

    /// One for each distance that is possible, the most probable one first.
    private var assumptions: [Assumption]
    /// The unit of the rows' times.
    let unit: TradeHistory.Resolution
    /// Whether rows that are not repeated were lost; before the first trade they are history.
    private let tellsLost: Bool

    /// Awaits these rows, ascending by time; nil without any.
    ///
    /// - Parameters:
    ///   - rows: the rows by time, as they stand on the tape.
    ///   - unit: the unit of their times.
    ///   - tellsLost: whether rows that are not repeated were lost.
    ///   - isShiftKnown: whether the rows have the times of the stream's clock.
    init?(
        _ rows: [TapedTrade],
        in unit: TradeHistory.Resolution = .millisecond,
        tellsLost: Bool,
        isShiftKnown: Bool
    ) {
        guard !rows.isEmpty else { return nil }
        self.unit = unit
        let shifts = isShiftKnown ? [.zero] : Self.shifts
        assumptions = shifts.map { Assumption(shift: $0, rows: rows) }
        self.tellsLost = tellsLost
    }

    /// The rows that are not repeated yet, by time.
    var rows: [TapedTrade] { assumptions[0].rows }

    /// The rows, where they count as lost if the stream ends.
    var lost: [TapedTrade] { tellsLost ? rows : [] }

    /// Compares a live trade with the rows.
    ///
    /// - Returns: whether it repeats one, and the rows that the stream has passed.
    mutating func compare(_ trade: Trade) -> (isRepeat: Bool, lost: [TapedTrade]) {
        let row = trade.row(in: unit)
        let end = row.at.advanced(by: .zero - Self.lateness)
        var best = (index: 0, hits: -1, isRepeat: false, lost: ArraySlice<TapedTrade>())
        for index in assumptions.indices {
            let isRepeat = assumptions[index].remove(row)
            let lost = assumptions[index].rows.prefix { $0.id.at < end }
            assumptions[index].rows.removeFirst(lost.count)
            let hits = assumptions[index].hits
            if hits > best.hits { best = (index, hits, isRepeat, lost) }
        }
        assumptions.swapAt(0, best.index)
        return (best.isRepeat, tellsLost ? Array(best.lost) : [])
    }
}

/// The trades known from REST that the stream may still repeat, by how they are compared.
enum ExpectedTrades: Sendable, Hashable {
    /// Rows of whole seconds, as a run.
    case run(ExpectedDuplicates)
    /// Rows one by one, in any order: of milliseconds, or of a run that broke off.
    case rows(ExpectedRepeats)

    /// The unit of the rows' times.
    var unit: TradeHistory.Resolution {
        switch self {
        case .run: .second
        case .rows(let repeats): repeats.unit
        }
    }

    /// Number of rows the stream is still expected to repeat.
    var remainingCount: Int {
        switch self {
        case .run(let run): run.remainingCount
        case .rows(let repeats): repeats.rows.count
        }
    }
}
