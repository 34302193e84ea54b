import DataSourcesRemote
import Domain
import PresentationTerminal
import Synchronization
import ViewStates

/// The documents of a server that the screens show, one client for each kind.
///
/// At most six streams are open at a time, usually two: the list and the page above it.
final class RemoteDocuments: Sendable {
    /// Notifies after every change of a document or connection.
    let changes = RemoteChangeNotifier()
    /// The list of all markets.
    let list: DocumentClient<MarketListViewState>
    /// The open market.
    let detail: DocumentClient<MarketDetailViewState>
    /// The daily candles of the open market, while they are listed.
    let days: DocumentClient<MarketDetailViewState>
    /// The second market of its chart, while it is compared.
    let comparison: DocumentClient<MarketDetailViewState>
    /// Deposits and withdrawals.
    let assets: DocumentClient<AssetsViewState>
    /// The user's holdings; idle without a token.
    let portfolio: DocumentClient<PortfolioViewState>

    private let client: RemoteClient
    private let environment: RemoteEnvironment
    /// Details drawn since the days were last requested.
    private let detailsSinceDays = Mutex(0)

    /// Wires the clients of a server.
    ///
    /// - Parameters:
    ///   - client: sends the requests.
    ///   - environment: clock and randomness.
    ///   - onConnection: receives changes of the list's connection.
    init(
        _ client: RemoteClient,
        _ environment: RemoteEnvironment,
        onConnection: @escaping @Sendable (EventStreamClientState.Connection) -> Void
    ) {
        self.client = client
        self.environment = environment
        let changes = changes
        let announce: @Sendable () -> Void = { changes.announce() }
        list = DocumentClient(
            client,
            environment,
            onChange: announce,
            onConnection: onConnection
        )
        detail = DocumentClient(client, environment, onChange: announce)
        days = DocumentClient(client, environment, onChange: announce)
        comparison = DocumentClient(client, environment, onChange: announce)
        assets = DocumentClient(client, environment, onChange: announce)
        portfolio = DocumentClient(client, environment, onChange: announce)
    }

    /// Follows the requested documents until the task is cancelled; call it once.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await self.list.run() }
            group.addTask { await self.detail.run() }
            group.addTask { await self.days.run() }
            group.addTask { await self.comparison.run() }
            group.addTask { await self.assets.run() }
            group.addTask { await self.portfolio.run() }
            await group.waitForAll()
        }
    }

    /// The server's time.
    var now: Timestamp { Timestamp(microseconds: client.clock.now) }

    /// The time since any fixed moment.
    var uptime: Duration { environment.uptime() }

    /// Notes that a detail is drawn.
    ///
    /// Days that were not requested since the last one are dropped.
    func noteDetail() {
        let isOver = detailsSinceDays.withLock { count in
            count = min(count + 1, 3)
            return count == 3
        }
        if isOver { days.want(nil) }
    }

    /// Notes that the days are requested.
    func noteDays() { detailsSinceDays.withLock { $0 = 0 } }

    /// Drops documents that the screen no longer shows.
    func hold(_ interests: ScreenInterests) {
        if interests.details.isEmpty {
            detail.want(nil)
            days.want(nil)
            comparison.want(nil)
        }
        if !interests.assetStates || !interests.details.isEmpty {
            assets.want(nil)
            portfolio.want(nil)
        }
    }

    /// Requests new snapshots of all documents.
    func restart() {
        list.restart()
        detail.restart()
        days.restart()
        comparison.restart()
        assets.restart()
        portfolio.restart()
    }
}
