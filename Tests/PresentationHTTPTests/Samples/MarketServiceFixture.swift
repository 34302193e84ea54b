import Dispatch
import HTTPServer
import UseCases
import ViewStates
import Synchronization
import TestSupport

@testable import Domain
@testable import PresentationHTTP

/// The public service over a small simulated board.
final class MarketServiceFixture {
    private var sample: SampleBoard
    let latest: SnapshotPublisher
    let documents: DocumentProducers
    let interests = DetailInterests()
    let assetInterests = AssetInterests()
    let streams: DocumentStreams
    let service: SnapshotService
    let served: ServerFixture
    /// Serves streams; tests block the threads of the shared pool.
    private let serving: Task<Void, Never>
    /// The clock of limits; a test moves it.
    let clock = TestUptime()
    /// The records of finished requests.
    let records = RequestRecords()
    /// The requests that reached the handler.
    let requests = Kept<HTTPServerRequest>()
    /// Readings of the wall clock: one per registered interest.
    let looks = Kept<Timestamp>()

    /// Starts the service; request ids are `request-1`, `request-2`, ….
    init(
        _ sample: SampleBoard = .live(),
        rules: ServiceConfiguration = .sample,
        personal: (any UserAPI)? = nil
    ) throws {
        self.sample = sample
        latest = SnapshotPublisher(self.sample.snapshot())
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
            bounds: .init(topicsMax: rules.topicsMax),
            clock: ContinuousClock(),
            random: { $0.lowerBound }
        )
        serving = Task(executorPreference: ThreadExecutor()) { [streams] in await streams.run() }
        let service = SnapshotService(
            documents: documents,
            latest: latest,
            interests: interests,
            assetInterests: assetInterests,
            streams: streams,
            staticDocuments: StaticDocuments(about: Self.about),
            personal: personal,
            configuration: rules,
            pipeline: RequestPipeline(
                configuration: rules,
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
        served = try ServerFixture(rejection: service.rejection) { [requests] request in
            requests.put(request)
            return service.answer(request)
        }
    }

    deinit { serving.cancel() }

    /// Advances the time, changes the board and publishes a snapshot.
    func wait(_ duration: Duration, _ change: (inout SampleBoard) -> Void) {
        sample.wait(duration)
        change(&sample)
        latest.publish(sample.snapshot())
    }

    /// Publishes a board with the detail of a market: a book, two trades, daily and minute candles.
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

    /// Signaled when a market gets its first interest: the request has arrived.
    func interestSignal() -> DispatchSemaphore {
        let looked = DispatchSemaphore(value: 0)
        interests.onChange { looked.signal() }
        return looked
    }

    /// The document `about`.
    static func about(_ language: Language) -> AboutDocument {
        AboutDocument(
            revision: "epoch-1",
            asOf: SampleBoard.start,
            source: SourceViewState(.live, .v1),
            state: AboutPresenter(
                version: "0.0.0",
                commit: "none",
                installation: "build"
            ).present(language)
        )
    }

    /// The producer of lists.
    var lists: MarketListProducer { documents.marketList }

    /// Requests the list.
    func list(_ parameters: KeyValuePairs<String, String> = [:]) throws -> HTTPAnswer {
        try served.ask("/v1/markets", parameters)
    }
}

/// Not shared between tests.
@available(*, unavailable)
extension MarketServiceFixture: Sendable {}

/// Makes request ids.
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

/// Collects values in order.
final class Kept<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    /// All values.
    var all: [Value] { values.withLock { $0 } }

    func put(_ value: Value) { values.withLock { $0.append(value) } }
}
