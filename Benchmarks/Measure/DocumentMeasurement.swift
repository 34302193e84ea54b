import Domain
import UseCases
import ViewStates
import TestSupport

/// The documents of one market: built from a snapshot, encoded as JSON, and read from the cache.
enum DocumentMeasurement {
    static let documents = Measurement(name: "documents", run: run)

    private static let interval = CandleInterval.minute1
    /// The default and the maximum number of rows of a document.
    private static let counts = [200, 3_000]
    private static let seriesLength = 50_000
    private static let runs = 15

    private static func run() {
        guard let market = MarketID(symbol: "BTC", quote: .krw) else { return }
        var sample = board(market)
        let snapshot = sample.snapshot()
        let presenter = MarketDetailPresenter(names: CoinNames([:]))
        for count in counts {
            var query = MarketDetailQuery(market: market)
            query.interval = interval
            query.depth = MarketDetailQuery.depthMax
            query.tradeLimit = MarketDetailQuery.tradesMax
            query.candles = .newest(count: count, before: nil)
            let made = Measurement.median(of: runs) { _ = presenter.detail(snapshot, query) }
            let document = MarketDetailDocument(
                revision: "measured-1",
                asOf: snapshot.capturedAt,
                source: SourceViewState(snapshot.board.feed),
                state: presenter.detail(snapshot, query)
            )
            var byteCount = 0
            let written = Measurement.median(of: runs) { byteCount = document.json.count }
            let micros = (made: microseconds(made), written: microseconds(written))
            print(
                "documents: a detail of \(count) candles: \(micros.made) us made,"
                    + " \(micros.written) us written, \(byteCount) bytes"
            )
        }
        printShared(market, snapshot)
    }

    /// The cost of a reader of a revision that is cached.
    private static func printShared(_ market: MarketID, _ snapshot: BoardSnapshot) {
        let latest = SnapshotPublisher(snapshot)
        let presenter = MarketListPresenter(names: CoinNames([:]))
        let documents = DocumentProducers(
            marketList: MarketListProducer(presenter: presenter, latest: latest, epoch: "measured"),
            detail: MarketDetailPresenter(names: presenter.names),
            latest: latest,
            epoch: "measured"
        )
        let query = DocumentQuery.marketDetail(MarketDetailQuery(market: market))
        let readers = 1_000
        let shared = Measurement.median(of: runs) {
            for _ in 0..<readers { _ = documents.bytes(query).revision }
        }
        print("documents: a reader of a known revision: \(nanoseconds(shared / readers)) ns")
    }

    private static func board(_ market: MarketID) -> SampleBoard {
        var sample = SampleBoard.live()
        sample.open(market, .book, .trades, .candles(interval), .candles(.day1))
        sample.joinTrades(market)
        for number in Int64(0)..<Int64(TradeTape.capacity) {
            sample.wait(.milliseconds(1))
            sample.trade(market, at: FixedDecimal(143_000_000 + number % 7 * 1_000))
        }
        sample.book(
            market,
            asks: levels(from: 143_007_000, by: 1_000),
            bids: levels(from: 143_006_000, by: -1_000)
        )
        for interval in [interval, .day1] {
            sample.candles(market, interval, candles(interval, until: sample.now))
        }
        return sample
    }

    private static func levels(from first: Int64, by step: Int64) -> [BookLevel] {
        (0..<30).map { number in
            BookLevel(
                price: FixedDecimal(first + number * step),
                quantity: FixedDecimal(units: 42_100_000_000_000_000 + Int128(number))
            )
        }
    }

    private static func candles(_ interval: CandleInterval, until end: Timestamp) -> [Candle] {
        let newest = interval.bucketStart(of: end)
        return (0..<seriesLength).map { number in
            let price = FixedDecimal(Int64(143_000_000 + number % 97 * 1_000))
            return Candle(
                interval.advanced(newest, by: number - seriesLength),
                open: price,
                high: price,
                low: price,
                close: price,
                volume: FixedDecimal(units: 4_219_300_000_000_000_000 + Int128(number))
            )
        }
    }

    private static func microseconds(_ time: Duration) -> Int64 { nanoseconds(time) / 1_000 }

    private static func nanoseconds(_ time: Duration) -> Int64 {
        time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
    }
}
