import Domain
import PresentationTerminal
import Synchronization
import ViewStates

/// What screens read of a service, wired up but not running: one reader for each kind of document.
///
/// At most five streams are open at a time, and mostly two: the list, and what lies over it.
final class RemoteDocuments: Sendable {
    /// Whenever one of the documents, or a connection, is another.
    let news = RemoteChangeNotifier()
    /// The whole list, whatever a screen shows of it.
    let list: EventStreamClient<MarketListViewState>
    /// The market that is open.
    let detail: EventStreamClient<MarketDetailViewState>
    /// Its days, while they are listed.
    let days: EventStreamClient<MarketDetailViewState>
    /// Deposits and withdrawals.
    let assets: EventStreamClient<AssetsViewState>
    /// What the user holds; reads nothing without a token.
    let portfolio: EventStreamClient<PortfolioViewState>

    private let service: RemoteClient
    private let sources: RemoteEnvironment
    /// How many pictures of a detail were made since its days were asked for.
    private let picturesSinceDays = Mutex(0)

    /// Wires the readers of a service.
    ///
    /// - Parameters:
    ///   - service: is read.
    ///   - sources: time and chance.
    ///   - onLine: is told how the connection of the list stands whenever that changes.
    init(
        _ service: RemoteClient,
        _ sources: RemoteEnvironment,
        onLine: @escaping @Sendable (ReadingPlan.Line) -> Void
    ) {
        self.service = service
        self.sources = sources
        list = EventStreamClient(service, sources, news: news, onLine: onLine)
        detail = EventStreamClient(service, sources, news: news)
        days = EventStreamClient(service, sources, news: news)
        assets = EventStreamClient(service, sources, news: news)
        portfolio = EventStreamClient(service, sources, news: news)
    }

    /// Reads what is wanted until the task is cancelled; to be called once.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await self.list.run() }
            group.addTask { await self.detail.run() }
            group.addTask { await self.days.run() }
            group.addTask { await self.assets.run() }
            group.addTask { await self.portfolio.run() }
            await group.waitForAll()
        }
    }

    /// The service's time.
    var now: Timestamp { service.heard.time(at: service.now()) }

    /// The time since any fixed moment.
    var uptime: Duration { sources.uptime() }

    /// Whether there is a token, so that there may be something of a user's own.
    var hasToken: Bool { service.token != nil }

    /// Notes that a picture of a detail is made; days that nobody asked for since the last one are
    /// read no longer.
    func noteDetailPicture() {
        let isOver = picturesSinceDays.withLock { count in
            count = min(count + 1, 3)
            return count == 3
        }
        if isOver { days.want(nil) }
    }

    /// Notes that a picture wants the days.
    func noteDays() { picturesSinceDays.withLock { $0 = 0 } }

    /// Reads no longer what is not looked at.
    func hold(_ interests: ScreenInterests) {
        if interests.details.isEmpty {
            detail.want(nil)
            days.want(nil)
        }
        if !interests.assetStates || !interests.details.isEmpty {
            assets.want(nil)
            portfolio.want(nil)
        }
    }

    /// Reads everything anew.
    func restart() {
        list.restart()
        detail.restart()
        days.restart()
        assets.restart()
        portfolio.restart()
    }
}
