public import Domain

/// A board that a test feeds with batches of events, each received at ``now``.
public struct SampleBoard: Sendable {
    /// 2026-11-20T21:03:10+09:00, the time of tests that need no other.
    public static let start = SeoulTime.timestamp(
        year: 2_026,
        month: 11,
        day: 20,
        hour: 21,
        minute: 3,
        second: 10
    )

    /// The board.
    public private(set) var board: MarketBoard
    /// The wall clock of the test.
    public var now = start
    private var sequence: UInt64 = 0

    /// An empty board without a feed status.
    public init(kind: FeedKind = .live) {
        board = MarketBoard(kind: kind)
    }

    /// Advances the clock.
    public mutating func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
    }

    /// Applies events as one batch.
    public mutating func apply(_ events: MarketEvent...) {
        _ = board.apply(MarketEventBatch(events: events, receivedAt: now))
    }

    /// Applies events of the detail feed as one batch.
    public mutating func applyDetails(_ events: DetailEvent...) {
        _ = board.apply(DetailEventBatch(events: events, receivedAt: now))
    }

    /// Applies reference data as one batch.
    public mutating func applyReference(_ events: ReferenceEvent...) {
        _ = board.apply(ReferenceEventBatch(events: events, receivedAt: now))
    }

    /// Applies a listing of a quote currency.
    public mutating func list(
        _ quote: Quote,
        _ entries: [ListingEntry],
        suspended: [MarketID] = []
    ) {
        apply(.listing(Listing(quote, at: now, entries, suspended: suspended)))
    }

    /// Applies a trade at the present time.
    public mutating func trade(_ market: MarketID, at price: FixedDecimal) {
        apply(.trade(Trade(market, price: price, at: now)))
    }

    /// Applies the closes of candles, read from the exchange.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - closes: when each candle opened, counted back from now, and its last price.
    ///   - interval: the length of the candles.
    public mutating func closes(
        of market: MarketID,
        _ closes: [(ago: Duration, price: FixedDecimal)],
        _ interval: CandleInterval = .minute1
    ) {
        let rows = closes.map { close in
            ClosePage.Row(
                openTime: interval.bucketStart(of: now.advanced(by: .zero - close.ago)),
                close: close.price
            )
        }
        let until = interval.bucketStart(of: now)
        apply(
            .closes(
                ClosePage(
                    market: market,
                    interval: interval,
                    rows: rows,
                    until: until,
                    isWhole: true
                )
            )
        )
    }

    /// Takes a snapshot of the board with the next sequence number.
    public mutating func snapshot() -> BoardSnapshot {
        sequence += 1
        return BoardSnapshot(board: board, sequence: sequence, capturedAt: now)
    }

    /// A small exchange, complete and live: four won markets and one bitcoin market.
    ///
    /// By turnover in won: BTC_KRW, ETH_BTC (converted by the price of bitcoin), ETH_KRW, XRP_KRW,
    /// and NEW_KRW, which is listed without values.
    public static func live() -> SampleBoard {
        var sample = SampleBoard()
        sample.apply(.feed(.subscribed))
        sample.list(
            .krw,
            [
                .sample("BTC_KRW", price: "143210000", tradeValue: "98123456789.5123", "-1.34"),
                .sample("ETH_KRW", price: "4512000", tradeValue: "31234567890", "0.21"),
                .sample("XRP_KRW", price: "743.5", tradeValue: "999999.99", "0"),
                ListingEntry("NEW_KRW"),
            ]
        )
        sample.list(.btc, [.sample("ETH_BTC", price: "0.03150", tradeValue: "400.1239", nil)])
        sample.apply(.feed(.live))
        sample.trade("BTC_KRW", at: "143210000")
        return sample
    }
}

extension ListingEntry {
    /// A market with trades today and yesterday; nil values are unknown.
    public static func sample(
        _ market: MarketID,
        price: FixedDecimal?,
        tradeValue: FixedDecimal?,
        _ changeRate: FixedDecimal?
    ) -> ListingEntry {
        ListingEntry(
            market,
            price: price,
            previousClose: price,
            volumeToday: .one,
            volume24h: .one,
            tradeValue24h: tradeValue,
            changeRate24h: changeRate
        )
    }
}
