import Presentation
import PresentationHTTP
import Synchronization
import TestSupport

@testable import Domain

/// The public service over the small exchange.
final class ServedMarkets {
    private var sample: SampleBoard
    private let latest: LatestCut
    let documents: DocumentCutters
    let interests = DetailInterests()
    let served: ServedHandler

    /// Starts the service; requests are named `request-1`, `request-2`, ….
    init(_ sample: SampleBoard = .live()) throws {
        self.sample = sample
        latest = LatestCut(self.sample.cut())
        let names = CoinNames([
            "BTC": .init(symbol: "BTC", korean: "비트코인", english: "Bitcoin"),
            "ETH": .init(symbol: "ETH", korean: "이더리움", english: "Ethereum"),
            "XRP": .init(symbol: "XRP", korean: "리플", english: "Ripple"),
        ])
        documents = DocumentCutters(
            marketList: MarketListCutter(
                presenter: MarketListPresenter(names: names),
                latest: latest,
                epoch: "epoch"
            ),
            detail: MarketDetailPresenter(names: names),
            latest: latest,
            epoch: "epoch"
        )
        let service = SnapshotService(
            documents: documents,
            latest: latest,
            interests: interests,
            now: { SampleBoard.start },
            makeRequestID: RequestNames().next
        )
        served = try ServedHandler { service.answer($0) }
    }

    /// Lets time go by, changes the board and publishes a cut of it.
    func wait(_ duration: Duration, _ change: (inout SampleBoard) -> Void) {
        sample.wait(duration)
        change(&sample)
        latest.publish(sample.cut())
    }

    /// The maker of lists.
    var cutter: MarketListCutter { documents.marketList }

    /// Asks for the list.
    func list(_ parameters: KeyValuePairs<String, String> = [:]) throws -> HTTPAnswer {
        try served.ask("/v1/markets", parameters)
    }
}

/// One test uses it at a time.
@available(*, unavailable)
extension ServedMarkets: Sendable {}

/// Numbers requests.
final class RequestNames: Sendable {
    private let count = Mutex(0)

    @Sendable
    func next() -> String {
        count.withLock {
            $0 += 1
            return "request-\($0)"
        }
    }
}
