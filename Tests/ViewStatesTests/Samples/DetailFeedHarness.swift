import UseCases
import ViewStates
import TestSupport

@testable import Domain

/// The makers of documents over the small exchange, one market of which is looked at.
struct DetailFeedHarness {
    static let market: MarketID = "BTC_KRW"

    private(set) var sample: SampleBoard
    let latest: SnapshotPublisher
    let documents: DocumentProducers
    let periods = PeriodInterests()

    init() {
        sample = .live()
        sample.open(Self.market, .book, .trades, .candles(.day1), .candles(.minute1))
        sample.joinTrades(Self.market)
        sample.candles(Self.market, .day1, [])
        sample.candles(Self.market, .minute1, [])
        sample.book(Self.market, asks: [["143211000": "1"]], bids: [["143210000": "1"]])
        latest = SnapshotPublisher(sample.snapshot())
        documents = DocumentProducers(
            marketList: MarketListProducer(
                rows: SharedMarketRows(
                    presenter: MarketListPresenter(names: .sample),
                    latest: latest,
                    periods: periods
                ),
                personal: nil,
                epoch: "epoch"
            ),
            detail: MarketDetailPresenter(names: .sample),
            latest: latest,
            epoch: "epoch"
        )
    }

    /// Advances time, changes the board and publishes a snapshot.
    mutating func wait(_ duration: Duration, _ change: (inout SampleBoard) -> Void = { _ in }) {
        sample.wait(duration)
        change(&sample)
        latest.publish(sample.snapshot())
    }

    /// Some time and perhaps an event.
    mutating func randomStep(_ generator: inout SeededGenerator) {
        let wait = Duration.milliseconds(Int.random(in: 0...900, using: &generator))
        let number = FixedDecimal(Int64.random(in: 1...3, using: &generator))
        let event = Int.random(in: 0..<10, using: &generator)
        self.wait(wait) { sample in
            switch event {
            case 0: sample.apply(.feed(.stale))
            case 1: sample.apply(.feed(.live))
            case 2: sample.trade(Self.market, at: "143210000")
            case 3: sample.trade("XRP_KRW", at: number)
            case 5: sample.transfers(["BTC": (number == .one, true)])
            case 4:
                let change = OrderBookDelta.Change(
                    side: .ask,
                    price: "143211000",
                    quantity: number
                )
                sample.applyDetails(
                    .depth(OrderBookDelta(market: Self.market, at: sample.now, changes: [change]))
                )
            default: break
            }
        }
    }

    /// All questions of the market, each document once.
    static let queries: [DocumentQuery] = {
        var detail = MarketDetailQuery(market: market)
        detail.interval = .minute1
        return [
            .marketList(MarketListQuery()), .marketDetail(detail), .orderBook(detail),
            .trades(detail), .candles(detail),
            .snapshot(SnapshotQuery(marketList: MarketListQuery(), marketDetail: detail)),
            .assets(AssetsQuery()),
        ]
    }()
}
