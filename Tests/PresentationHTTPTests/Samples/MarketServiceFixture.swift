import Dispatch
import HTTPServer
import UseCases
import ViewStates
import Synchronization
import TestSupport

@testable import Domain
@testable import PresentationHTTP

/// The public service over the small exchange.
final class MarketServiceFixture {
    private var sample: SampleBoard
    let latest: SnapshotPublisher
    let documents: DocumentProducers
    let interests = DetailInterests()
    let assetInterests = AssetInterests()
    let streams: DocumentStreams
    let service: SnapshotService
    let served: ServerFixture
    /// What limits are timed by: it stands still unless a test moves it.
    let clock = TestUptime()
    /// What the service told of answered requests.
    let records = RequestRecords()
    /// The requests that came, as the server handed them over.
    let requests = Kept<HTTPServerRequest>()
    /// What the service read off the wall clock: once for each look at what is followed.
    let looks = Kept<Timestamp>()

    /// Starts the service; requests are named `request-1`, `request-2`, ….
    init(
        _ sample: SampleBoard = .live(),
        rules: ServiceConfiguration = .sample,
        personal: (any UserAPI)? = nil
    ) throws {
        self.sample = sample
        latest = SnapshotPublisher(self.sample.cut())
        let names = CoinNames([
            "BTC": .init(symbol: "BTC", korean: "비트코인", english: "Bitcoin"),
            "ETH": .init(symbol: "ETH", korean: "이더리움", english: "Ethereum"),
            "XRP": .init(symbol: "XRP", korean: "리플", english: "Ripple"),
        ])
        documents = DocumentProducers(
            marketList: MarketListProducer(
                presenter: MarketListPresenter(names: names),
                latest: latest,
                epoch: "epoch"
            ),
            detail: MarketDetailPresenter(names: names),
            latest: latest,
            epoch: "epoch"
        )
        streams = DocumentStreams(
            documents: documents,
            latest: latest,
            interests: interests,
            assetInterests: assetInterests,
            topicsMax: rules.topicsMax,
            clock: ContinuousClock(),
            random: { $0.lowerBound }
        )
        let service = SnapshotService(
            documents: documents,
            latest: latest,
            interests: interests,
            assetInterests: assetInterests,
            streams: streams,
            fixed: StaticDocuments(about: Self.about),
            personal: personal,
            rules: rules,
            manners: RequestPipeline(
                rules: rules,
                observers: [records],
                uptime: clock.uptime,
                makeRequestID: RequestIDSequence().next
            ),
            now: { [looks] in
                looks.put(SampleBoard.start)
                return SampleBoard.start
            }
        )
        self.service = service
        served = try ServerFixture(refusal: service.refuse) { [requests] request in
            requests.put(request)
            return service.answer(request)
        }
    }

    /// Lets time go by, changes the board and publishes a cut of it.
    func wait(_ duration: Duration, _ change: (inout SampleBoard) -> Void) {
        sample.wait(duration)
        change(&sample)
        latest.publish(sample.cut())
    }

    /// Publishes a board on which a market is looked at, with a book, two trades and candles of
    /// days and minutes.
    func openDetail(of market: MarketID = "XRP_KRW") {
        wait(.milliseconds(100)) { sample in
            sample.open(market, .book, .trades, .candles(.day1), .candles(.minute1))
            sample.joinTrades(market)
            for interval in [CandleInterval.day1, .minute1] {
                let bucket = interval.previousBucket(before: interval.bucketStart(of: sample.now))
                sample.candles(
                    market,
                    interval,
                    [Candle(bucket, open: "740", high: "750", low: "739", close: "743")]
                )
            }
            sample.trade(market, "743.4", "2", .sell)
            sample.trade(market, "743.5", "1", .buy)
            sample.book(
                market,
                asks: [["743.6": "5"], ["743.7": "6"], ["744.2": "7"]],
                bids: [["743.5": "1"], ["743.4": "2"], ["742.9": "3"]]
            )
        }
    }

    /// A signal for when somebody begins to look at a market: the request has arrived.
    func watchedUsers() -> DispatchSemaphore {
        let looked = DispatchSemaphore(value: 0)
        interests.onChange { looked.signal() }
        return looked
    }

    /// The page on the program, as it is inside.
    static var about: AboutDocument {
        AboutDocument(
            revision: "epoch-1",
            asOf: SampleBoard.start,
            source: SourceViewState(.live),
            state: AboutPresenter(version: "0.0.0", commit: "none").present(.korean)
        )
    }

    /// The maker of lists.
    var cutter: MarketListProducer { documents.marketList }

    /// Asks for the list.
    func list(_ parameters: KeyValuePairs<String, String> = [:]) throws -> HTTPAnswer {
        try served.ask("/v1/markets", parameters)
    }
}

/// One test uses it at a time.
@available(*, unavailable)
extension MarketServiceFixture: Sendable {}

/// Numbers requests.
final class RequestIDSequence: Sendable {
    private let count = Mutex(0)

    @Sendable
    func next() -> String {
        count.withLock {
            $0 += 1
            return "request-\($0)"
        }
    }
}

/// Keeps what it is given, in order.
final class Kept<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    /// All of it.
    var all: [Value] { values.withLock { $0 } }

    func put(_ value: Value) { values.withLock { $0.append(value) } }
}
