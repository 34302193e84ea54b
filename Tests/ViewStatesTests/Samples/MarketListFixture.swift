import UseCases
import ViewStates
import TestSupport

@testable import Domain

/// A cutter over the small exchange, and what moves it on: every step ends in a new cut.
struct MarketListFixture {
    private var sample: SampleBoard
    let latest: SnapshotPublisher
    let cutter: MarketListProducer

    init() {
        sample = .live()
        latest = SnapshotPublisher(sample.cut())
        cutter = MarketListProducer(
            presenter: MarketListPresenter(names: .sample),
            latest: latest,
            epoch: "epoch"
        )
    }

    /// Lets time go by, changes the board and publishes a cut of it.
    mutating func wait(_ duration: Duration, _ change: (inout SampleBoard) -> Void = { _ in }) {
        sample.wait(duration)
        change(&sample)
        latest.publish(sample.cut())
    }

    /// Changes a price without a new cut.
    mutating func trade(_ market: MarketID, at price: FixedDecimal) {
        sample.trade(market, at: price)
    }

    /// Some time and perhaps an event.
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

    /// The coins of a query's rows in order.
    func symbols(_ query: MarketListQuery) -> [String] {
        cutter.document(query).state.rows.map(\.symbol)
    }
}
