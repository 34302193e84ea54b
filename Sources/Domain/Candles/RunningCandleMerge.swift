/// Merges REST's row of a running bucket with live trades near the time of the answer.
///
/// The answer includes every trade up to the request and none after the response. Which trades in
/// between it includes is found by REST's last price: the newest trade at that price in the first
/// half of the interval is the last one included, otherwise the first one in the second half. If
/// neither exists the clocks differ, and an older trade is searched a little earlier. Prices
/// repeat, so a wider search would take later trades as included. Trades may arrive later than the
/// answer, so the boundary is recomputed with each trade until it is settled.
struct RunningCandleMerge: Sendable {
    /// Maximum error of the local estimate of exchange time.
    static let clockTolerance: Duration = .milliseconds(500)
    /// A trade this long after the answer ends the search.
    ///
    /// No trade arrives that late.
    static let settlingTime: Duration = .seconds(3)
    /// Maximum number of trades; one more settles the boundary where it is.
    static let tradesMax = 1_000

    private struct Figures: CandleInput, Sendable {
        let executedAt: Timestamp
        let price: FixedDecimal
        let quantity: FixedDecimal

        init(_ trade: some CandleInput) {
            executedAt = trade.executedAt
            price = trade.price
            quantity = trade.quantity
        }
    }

    private let row: Candle
    private let requestedAt: Timestamp
    private let answeredAt: Timestamp
    /// Volume traded in the bucket before the first trade here; nil if unknown.
    private var volumeBefore: FixedDecimal?
    /// Trades of the bucket that the answer may lack, by time.
    private var trades: [Figures] = []

    /// Starts the search.
    ///
    /// - Parameters:
    ///   - row: REST's row, at the start of its bucket.
    ///   - page: the answer.
    ///   - trades: live trades of the bucket so far, oldest first.
    ///   - volume: volume of the bucket up to the last of them; nil if unknown.
    init(
        _ row: Candle,
        of page: CandlePage,
        trades: some Sequence<TapedTrade>,
        volume: FixedDecimal?
    ) {
        self.row = row
        requestedAt = page.requestedAt
        answeredAt = page.answeredAt
        let start = windowStart
        self.trades = trades.lazy.filter { $0.executedAt >= start }.map(Figures.init)
        volumeBefore = volume.flatMap { volume in
            self.trades.reduce(volume) { rest, trade in
                FixedDecimal(units: rest.units &- trade.quantity.units)
            }
        }
    }

    /// Start of the bucket.
    var openTime: Timestamp { row.openTime }

    private var windowStart: Timestamp {
        requestedAt.advanced(by: .zero - Self.clockTolerance)
    }

    /// Whether a trade at that time ends the search.
    func isSettled(by time: Timestamp) -> Bool {
        time > answeredAt.advanced(by: Self.settlingTime) || trades.count >= Self.tradesMax
    }

    /// Adds a trade of the bucket.
    mutating func add(_ trade: Trade) {
        guard trade.executedAt >= windowStart else { return }
        let place = trades.lastIndex { $0.executedAt <= trade.executedAt }.map { $0 + 1 } ?? 0
        trades.insert(Figures(trade), at: place)
    }

    /// REST's row plus the trades it lacks.
    var entry: CandleStorage.Entry {
        let firstMissing = self.firstMissing
        let newer = trades.suffix(from: firstMissing)
        let until = firstMissing > 0 ? trades[firstMissing - 1].executedAt : requestedAt
        var entry = CandleStorage.Entry(row, restUntil: until)
        for trade in newer { entry.absorb(trade) }
        return entry
    }

    /// Index of the first trade that REST lacks.
    private var firstMissing: Int {
        let end = answeredAt.advanced(by: Self.clockTolerance)
        // The last trade at the time of the request.
        let asked = trades.firstIndex { $0.executedAt > requestedAt } ?? trades.count
        var volume = volumeBefore ?? .zero
        var ofVolume: Int?
        var before: Int?
        let halfway = requestedAt.advanced(by: answeredAt.duration(since: requestedAt) / 2)
        var within: Int?
        var behind: Int?
        for (place, trade) in trades.enumerated() {
            if trade.executedAt > end { break }
            volume = volume.saturatingSum(trade.quantity)
            guard trade.price == row.close else { continue }
            if volumeBefore != nil, volume == row.volume { ofVolume = place }
            if place < asked - 1 {
                before = place
            } else if trade.executedAt <= halfway {
                within = place
            } else {
                behind = behind ?? place
            }
        }
        if let last = ofVolume ?? within ?? behind ?? before { return last + 1 }
        return asked
    }
}
