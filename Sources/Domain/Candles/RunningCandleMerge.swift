/// What REST said of a bucket that was still running, and the trades near that answer.
///
/// The answer holds every trade until it was asked for and none after it came. The newest trade
/// until halfway between at REST's last price is taken for the last one it holds, else the first
/// one after that. Only if there is none either the clocks must differ, and an older one is sought
/// a little before: prices come again, so that a wider search would take later trades for known. As
/// trades may arrive later than the answer, the cut is sought anew with each until it is settled.
struct RunningCandleMerge: Sendable {
    /// How much the local idea of exchange time may be wrong.
    static let clockTolerance: Duration = .milliseconds(500)
    /// How long after the answer a trade ends the search; no trade comes that late.
    static let settlingTime: Duration = .seconds(3)
    /// How many trades are held at the most; a trade more settles the cut where it is.
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
    /// What had been traded in the bucket before the first trade here; nil if unknown.
    private var volumeBefore: FixedDecimal?
    /// The trades of the bucket that the answer may lack, in the order of time.
    private var trades: [Figures] = []

    /// Begins the search.
    ///
    /// - Parameters:
    ///   - row: what REST said, its bucket as its time.
    ///   - page: the answer.
    ///   - trades: the bucket's trades of the stream so far, oldest first.
    ///   - volume: what was traded in the bucket up to the last of them; nil if unknown.
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

    /// When the bucket opens.
    var openTime: Timestamp { row.openTime }

    private var windowStart: Timestamp {
        requestedAt.advanced(by: .zero - Self.clockTolerance)
    }

    /// Whether a trade of that time shows that the search is over.
    func isSettled(by time: Timestamp) -> Bool {
        time > answeredAt.advanced(by: Self.settlingTime) || trades.count >= Self.tradesMax
    }

    /// Takes a trade of the bucket.
    mutating func add(_ trade: Trade) {
        guard trade.executedAt >= windowStart else { return }
        let place = trades.lastIndex { $0.executedAt <= trade.executedAt }.map { $0 + 1 } ?? 0
        trades.insert(Figures(trade), at: place)
    }

    /// REST's row and the trades that it lacks.
    var entry: CandleStorage.Entry {
        let cut = self.cut
        let newer = trades.suffix(from: cut)
        let until = cut > 0 ? trades[cut - 1].executedAt : requestedAt
        var entry = CandleStorage.Entry(row, restUntil: until)
        for trade in newer { entry.absorb(trade) }
        return entry
    }

    /// The place of the first trade that REST lacks.
    private var cut: Int {
        let end = answeredAt.advanced(by: Self.clockTolerance)
        // At the moment of asking, this was the last trade.
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
