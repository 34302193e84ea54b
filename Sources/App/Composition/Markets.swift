import DataSourceContracts
import DataSourcesHTTP
import DataSourcesRecording
import DataSourcesBithumb
import Domain
import UseCases
import ViewStates
import PresentationHTTP
import Repositories

/// The market data of one exchange: transports, sources, feeds, board and documents, wired up but
/// not running.
struct Markets: Sendable {
    /// The newest board snapshot.
    let latest: SnapshotPublisher
    /// Makes view states of lists.
    let presenter: MarketListPresenter
    /// Makes list documents.
    let lists: MarketListProducer
    /// Makes all documents.
    let documents: DocumentProducers
    /// The first part of every revision; new at each start.
    let epoch: String
    /// The feed of all markets.
    let feed: any MarketFeedRepository
    /// The feed of order books, past trades and candles of single markets.
    let details: any MarketDetailFeedRepository
    /// The feed of names, warnings, deposits and withdrawals.
    let reference: any MarketReferenceFeedRepository
    /// The interests in details of single markets.
    let interests: DetailInterests
    /// The interests in deposits and withdrawals.
    let assetInterests: AssetInterests
    /// The periods of changes in use.
    let periods: PeriodInterests
    /// Stores market data; nil without a store.
    let archive: MarketArchive?
    /// Elects the instance that writes candles; nil if this process may not.
    let candleWriter: CandleWriter?
    /// Counts the requests to the exchange.
    let upstream: UpstreamRequestCounts
    private let transport: CurlHTTPTransport
    private let follow: FollowMarkets
    private let alertService: AlertService?

    /// Wires transports, sources, repositories, board and presenters.
    ///
    /// - Parameters:
    ///   - exchange: the addresses.
    ///   - configuration: snapshot interval and certificate authority.
    ///   - log: receives state changes of the feed and of the store.
    ///   - store: the store of market data of this process; nil for none.
    ///   - sharing: the store shared by all instances, instead of `store`.
    ///   - alerts: the store of alert rules and alerts; nil for none.
    ///   - onStoreFailure: receives store failures; it must return at once.
    ///   - recorder: records the exchange's messages; nil for none.
    /// - Throws: ``ProgramError`` `configuration` for an unusable certificate authority file.
    init(
        _ exchange: ExchangeEndpoint,
        configuration: Configuration,
        log: any Log,
        store: (any MarketStoreSource)? = nil,
        sharing: SharedMarketStore? = nil,
        alerts: AlertStore? = nil,
        onStoreFailure: @escaping @Sendable (StoreFailure) -> Void = { _ in },
        recorder: (any TrafficRecorder)? = nil
    ) throws(ProgramError) {
        transport = try Self.transport(configuration)
        interests = DetailInterests()
        assetInterests = AssetInterests()
        periods = PeriodInterests()
        let board = MarketBoard(kind: exchange.expectedKind)
        let latest = SnapshotPublisher(
            BoardSnapshot(board: board, sequence: 0, capturedAt: SystemSources.now())
        )
        self.latest = latest
        let (http, webSockets) = try Self.transports(transport, configuration, recorder)
        let upstream = UpstreamRequestCounts()
        self.upstream = upstream
        let client = Self.client(exchange, http, counting: upstream)
        presenter = MarketListPresenter(names: EmbeddedCoinNames().names())
        let sources = ExchangeSources(exchange, client, webSockets)
        let live = sources.market
        let candleWriter = sharing.flatMap { shared in
            shared.candleWriter(beside: live, sources.details, log)
        }
        self.candleWriter = candleWriter
        alertService = alerts?.service(
            of: exchange.expectedKind,
            live.identity,
            AlertInterests(details: interests, periods: periods, assets: assetInterests),
            beside: candleWriter?.election,
            log
        )
        let kept = sharing.map { LeaderStore($0.store, election: candleWriter?.election) } ?? store
        let archive = kept.map { store in
            Self.archive(store, latest, expecting: exchange.expectedKind) { failure in
                StoreLog.write(failure, of: "market data", to: log)
                if let failure { onStoreFailure(failure) }
            }
        }
        self.archive = archive
        let feeds = Feeds(sources: sources, client: client, archive: archive)
        feed = LoggedFeed(
            feed: candleWriter.map { CandleTapFeed(live, for: $0) } ?? live,
            log: log
        )
        let details = feeds.details(interests)
        self.details = details
        reference = feeds.reference(assetInterests, presenter.names)
        epoch = SystemSources.epoch()
        lists = MarketListProducer(
            rows: Self.rows(presenter, latest, periods, configuration),
            personal: nil,
            epoch: epoch
        )
        documents = DocumentProducers(
            marketList: lists,
            detail: MarketDetailPresenter(names: presenter.names),
            latest: latest,
            epoch: epoch
        )
        follow = FollowMarkets(
            feed: feed,
            details: details,
            reference: reference,
            periods: feeds.periods(periods),
            alerts: alertService?.evaluation,
            board: board,
            latest: latest,
            snapshotInterval: configuration.snapshotInterval,
            clock: ContinuousClock(),
            now: SystemSources.now
        )
    }

    /// Evaluates alert rules; nil if this process does not.
    var alerts: AlertEvaluation? { alertService?.evaluation }
    /// Delivers alerts to webhooks; nil if this process does not.
    var webhooks: WebhookDispatcher? { alertService?.dispatcher }

    /// Follows the exchange until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await transport.run() }
            group.addTask { await follow.run() }
            group.addTask { await expireInterests() }
            if let archive { group.addTask { await archive.run() } }
            if let alertService { group.addTask { await alertService.run() } }
            if let candleWriter {
                group.addTask { await candleWriter.run() }
                group.addTask { await candleWriter.election.forEachTerm { archive?.hurry() } }
            }
            await group.waitForAll()
        }
    }

    /// Writes waiting data to the store at the end of the program.
    func flush() async {
        await archive?.flush()
        await alertService?.flush()
        await candleWriter?.resign()
    }

    private static func rows(
        _ presenter: MarketListPresenter,
        _ latest: SnapshotPublisher,
        _ periods: PeriodInterests,
        _ configuration: Configuration
    ) -> SharedMarketRows {
        SharedMarketRows(
            presenter: presenter,
            latest: latest,
            periods: periods,
            cache: DocumentCache(bounds: .init(bytesMax: configuration.service.cacheBytesMax))
        )
    }

    private static func archive(
        _ store: any MarketStoreSource,
        _ latest: SnapshotPublisher,
        expecting kind: FeedKind,
        onFailure: @escaping @Sendable (StoreFailure?) -> Void
    ) -> MarketArchive {
        MarketArchive(
            expecting: kind,
            parts: .init(
                store: store,
                latest: latest,
                clock: ContinuousClock(),
                now: SystemSources.now,
                onFailure: onFailure
            )
        )
    }

    /// Expires the interests of single requests.
    private func expireInterests() async {
        while !Task.isCancelled {
            try? await ContinuousClock().sleep(for: .seconds(1))
            interests.expire(now: SystemSources.now())
            assetInterests.expire(now: SystemSources.now())
            periods.expire(now: SystemSources.now())
        }
    }
}
