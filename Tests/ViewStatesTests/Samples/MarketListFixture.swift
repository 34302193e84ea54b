import UseCases
import ViewStates
import TestSupport

@testable import Domain

/// A list producer over a small board; every step publishes a snapshot.
struct MarketListFixture {
    private var sample: SampleBoard
    let latest: SnapshotPublisher
    let lists: MarketListProducer
    let periods = PeriodInterests()

    init(_ sample: SampleBoard = .live(), cacheBytesMax: Int = 64 << 20) {
        self.sample = sample
        latest = SnapshotPublisher(self.sample.snapshot())
        lists = MarketListProducer(
            rows: SharedMarketRows(
                presenter: MarketListPresenter(names: .sample),
                latest: latest,
                periods: periods,
                cache: DocumentCache(bounds: .init(bytesMax: cacheBytesMax))
            ),
            personal: nil,
            epoch: "epoch"
        )
    }

    /// Advances the time, changes the board and publishes a snapshot.
    mutating func wait(_ duration: Duration, _ change: (inout SampleBoard) -> Void = { _ in }) {
        sample.wait(duration)
        change(&sample)
        latest.publish(sample.snapshot())
    }

    /// Changes a price without a snapshot.
    mutating func trade(_ market: MarketID, at price: FixedDecimal) {
        sample.trade(market, at: price)
    }

    /// Advances the time and applies a random event.
    mutating func randomStep(_ generator: inout SeededGenerator) {
        let wait = Duration.milliseconds(Int.random(in: 0...1_500, using: &generator))
        let markets: [MarketID] = ["BTC_KRW", "ETH_KRW", "XRP_KRW"]
        let market = markets.randomElement(using: &generator) ?? markets[0]
        let price = FixedDecimal(Int64.random(in: 1...3, using: &generator))
        let event = Int.random(in: 0..<8, using: &generator)
        self.wait(wait) { sample in
            switch event {
            case 0: sample.apply(.feed(.stale))
            case 1: sample.apply(.feed(.live))
            case 2: sample.apply(.skipped(1))
            case 3, 4: sample.trade(market, at: price)
            default: break
            }
        }
    }

    /// The symbols of a query's rows in order.
    func symbols(_ query: MarketListQuery) -> [String] {
        lists.document(query).state.rows.map(\.symbol)
    }
}
