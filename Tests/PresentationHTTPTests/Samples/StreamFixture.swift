import UseCases
import ViewStates
import Synchronization
import TestSupport

@testable import Domain
@testable import PresentationHTTP

/// One instance of the service over the small exchange, with streams that a test moves on.
struct StreamFixture {
    static let market: MarketID = "BTC_KRW"

    private(set) var sample: SampleBoard
    let latest: SnapshotPublisher
    let documents: DocumentProducers
    let streams: DocumentStreams
    let interests = DetailInterests()
    let assetInterests = AssetInterests()
    let clock = ManualClock()
    private let readers: OpenReaders

    init(
        epoch: String = "epoch",
        topicsMax: Int = 1_000,
        bytesMax: Int = 256 << 20,
        cacheBytesMax: Int = 64 << 20,
        threadsMax: Int = 2,
        bounds: ChangeLog.Bounds = .init(),
        passClock: (any Clock<Duration>)? = nil
    ) {
        sample = .live()
        sample.open(Self.market, .book, .trades, .candles(.day1), .candles(.minute1))
        sample.joinTrades(Self.market)
        sample.candles(Self.market, .day1, [])
        sample.candles(Self.market, .minute1, [])
        sample.book(Self.market, asks: [["143211000": "1"]], bids: [["143210000": "1"]])
        var cacheBounds = DocumentCache.Bounds(bytesMax: cacheBytesMax)
        cacheBounds.log = bounds
        latest = SnapshotPublisher(sample.snapshot())
        let presenter = MarketListPresenter(names: CoinNames([:]))
        documents = DocumentProducers(
            marketList: MarketListProducer(
                rows: SharedMarketRows(
                    presenter: presenter,
                    latest: latest,
                    cache: DocumentCache(bounds: cacheBounds)
                ),
                personal: nil,
                epoch: epoch
            ),
            detail: MarketDetailPresenter(names: presenter.names),
            latest: latest,
            epoch: epoch
        )
        streams = DocumentStreams(
            documents: documents,
            latest: latest,
            interests: interests,
            assetInterests: assetInterests,
            bounds: .init(topicsMax: topicsMax, bytesMax: bytesMax, threadsMax: threadsMax),
            clock: passClock ?? clock,
            random: { $0.lowerBound + 731 }
        )
        readers = OpenReaders(of: streams)
    }

    /// Cancels the readers that a test leaves open, which keep the streams that keep them.
    private final class OpenReaders: Sendable {
        private let streams: DocumentStreams

        init(of streams: DocumentStreams) { self.streams = streams }

        deinit {
            for reader in streams.readers { reader.cancel() }
        }
    }

    /// Changes the board without a snapshot.
    mutating func change(_ duration: Duration, _ body: (inout SampleBoard) -> Void = { _ in }) {
        sample.wait(duration)
        body(&sample)
    }

    /// Publishes a snapshot and advances all streams.
    mutating func publishAndAdvance() {
        latest.publish(sample.snapshot())
        streams.advance()
    }

    /// Advances the time, changes the board and publishes a snapshot.
    mutating func publish(after duration: Duration, _ body: (inout SampleBoard) -> Void) {
        change(duration, body)
        latest.publish(sample.snapshot())
    }

    /// Advances the time, changes the board, publishes a snapshot and advances all streams.
    mutating func wait(_ duration: Duration, _ body: (inout SampleBoard) -> Void = { _ in }) {
        change(duration, body)
        publishAndAdvance()
    }

    /// All kinds of documents.
    static let detail: MarketDetailQuery = {
        var query = MarketDetailQuery(market: market)
        query.interval = .minute1
        query.tradeLimit = 5
        return query
    }()

    /// A list that grows at its end and changes its order.
    static let byPrice: MarketListQuery = {
        var query = MarketListQuery()
        query.quote = nil
        query.sort = .price
        query.limit = 4
        return query
    }()
}

/// Random events of an exchange.
struct StreamEvents {
    /// A random wait and event; some events change nothing.
    static func random(
        _ generator: inout SeededGenerator
    ) -> (wait: Duration, change: (inout SampleBoard) -> Void) {
        let wait = Duration.milliseconds(Int.random(in: 1...900, using: &generator))
        let number = Int64.random(in: 1...6, using: &generator)
        let price = FixedDecimal(number * 1_000_000)
        let markets: [MarketID] = ["BTC_KRW", "ETH_KRW", "XRP_KRW", "ETH_BTC"]
        let market = markets.randomElement(using: &generator) ?? StreamFixture.market
        let event = Int.random(in: 0..<16, using: &generator)
        let change: (inout SampleBoard) -> Void = { sample in
            switch event {
            case 0: sample.apply(.feed(.stale))
            case 1: sample.apply(.feed(.live))
            case 2, 3, 4:
                for _ in 0..<number { sample.trade(StreamFixture.market, at: price) }
            case 5, 6: sample.trade(market, at: price)
            case 7: sample.trade(Self.newMarkets[Int(number) - 1], at: price)
            case 8, 9:
                let level = OrderBookDelta.Change(
                    side: number < 3 ? .ask : .bid,
                    price: FixedDecimal(143_210_000 + number * 1_000),
                    quantity: FixedDecimal(number - 1)
                )
                sample.applyDetails(
                    .depth(
                        OrderBookDelta(
                            market: StreamFixture.market,
                            at: sample.now,
                            changes: [level]
                        )
                    )
                )
            case 10: sample.transfers(["BTC": (number < 3, true), "XRP": (true, number < 5)])
            case 11: sample.transfers(["BTC": (true, true), "ETH": (false, nil)])
            case 12: sample.wait(.seconds(60))
            case 13: sample.apply(.skipped(1))
            case 14 where number == 1: sample.apply(.feed(.identified(.simulated)))
            case 14 where number == 2: sample.apply(.feed(.identified(.live)))
            default: break
            }
        }
        return (wait, change)
    }

    private static let newMarkets: [MarketID] = [
        "AAA_KRW", "BBB_KRW", "CCC_BTC", "DDD_KRW", "EEE_KRW", "FFF_KRW",
    ]
}

extension DocumentStreams {
    /// Subscribes a reader of the test to a user's document.
    func subscribe(
        to source: UserStreamSource,
        resumingAfter lastEventID: String? = nil
    ) throws(StreamRejection) -> StreamSubscription {
        try subscribe(to: source, for: .local, resumingAfter: lastEventID)
    }
}

extension StreamSubscription {
    /// The next chunk, once the streams have served those who wait; with the time of reconnection
    /// the first event.
    func served() -> StreamChunk {
        var chunk = next()
        if chunk == .nothing {
            streams.advance()
            chunk = next()
        }
        guard case .bytes(let retry) = chunk, retry.starts(with: "retry: ".utf8),
            case .bytes(let event) = next()
        else { return chunk }
        return .bytes(retry + event)
    }
}
