import DataSourceContracts
import DataSourcesHTTP
import DataSourcesRecording
import DataSourcesBithumb
import Domain
import UseCases
import ViewStates
import Repositories

/// Everything between the exchange and the outlets, wired up but not running.
struct Markets: Sendable {
    /// The newest board.
    let latest: SnapshotPublisher
    /// Makes view states.
    let presenter: MarketListPresenter
    /// Makes list documents.
    let cutter: MarketListProducer
    /// Makes all documents.
    let documents: DocumentProducers
    /// The first part of every revision, new at each start.
    let epoch: String
    /// Where events come from.
    let feed: any MarketFeedRepository
    /// Where the books, past trades and candles of single markets come from.
    let details: any MarketDetailFeedRepository
    /// Where names, warnings, deposits and withdrawals come from.
    let reference: any MarketReferenceFeedRepository
    /// Who looks at which details.
    let interests: DetailInterests
    /// Who looks at deposits and withdrawals.
    let assetInterests: AssetInterests
    /// What keeps market data over restarts, if anything does.
    let archive: MarketArchive?
    /// What writes the candles of all markets, if this process may.
    let leadership: LeaderElection?
    /// Counts the requests to the exchange.
    let upstream: UpstreamRequestCounts
    private let transport: CurlHTTPTransport
    private let follow: FollowMarkets

    /// Wires the way of a tick: transports, sources, repository, board, presenters.
    ///
    /// - Parameters:
    ///   - exchange: the addresses.
    ///   - configuration: cut interval and private authority.
    ///   - log: takes the changes of state of the feed and of the store.
    ///   - store: where market data are kept by this process alone; nil keeps none.
    ///   - sharing: where they are kept by all instances, instead of `store`.
    ///   - onStoreFailure: is told why the store failed; it must return at once.
    ///   - recorder: takes down what the exchange sends, if anything does.
    /// - Throws: ``ProgramError`` `configuration` when the private authority's file is of no use.
    init(
        _ exchange: ExchangeEndpoint,
        configuration: Configuration,
        log: any Log,
        store: (any MarketStoreSource)? = nil,
        sharing: SharedMarketStore? = nil,
        onStoreFailure: @escaping @Sendable (StoreFailure) -> Void = { _ in },
        recorder: (any TrafficRecorder)? = nil
    ) throws(ProgramError) {
        transport = try Self.transport(configuration)
        interests = DetailInterests()
        assetInterests = AssetInterests()
        let board = MarketBoard(kind: exchange.expectedKind)
        let latest = SnapshotPublisher(
            BoardSnapshot(board: board, sequence: 0, capturedAt: SystemSources.now())
        )
        self.latest = latest
        var http: any HTTPTransport = transport
        var webSockets: any WebSocketTransport = try Self.streamTransport(configuration)
        if let recorder {
            http = RecordingHTTPTransport(http, recorder: recorder)
            webSockets = RecordingWebSocketTransport(webSockets, recorder: recorder)
        }
        let upstream = UpstreamRequestCounts()
        self.upstream = upstream
        let client = Self.client(exchange, http, counting: upstream)
        let streams = BithumbStreamSource(
            transport: webSockets,
            url: exchange.wsURL,
            clock: ContinuousClock(),
            timeout: Self.connectTimeout,
            gathering: Self.gathering
        )
        presenter = MarketListPresenter(names: EmbeddedCoinNames().names())
        let live = Feeds.market(exchange, client, streams)
        let leadership = sharing.flatMap { $0.leadership(beside: live, client, log) }
        self.leadership = leadership
        let kept = sharing.map { LeaderStore($0.store, leadership: leadership) } ?? store
        let archive = kept.map { store in
            Self.archive(store, latest, expecting: exchange.expectedKind) { failure in
                StoreLog.write(failure, of: "market data", to: log)
                if let failure { onStoreFailure(failure) }
            }
        }
        self.archive = archive
        let feeds = Feeds(client: client, streams: streams, archive: archive)
        feed = LoggedFeed(
            feed: leadership.map { CandleTapFeed(live, for: $0) } ?? live,
            log: log
        )
        let details = feeds.details(interests, beside: live)
        self.details = details
        reference = feeds.reference(assetInterests, presenter.names, beside: live)
        epoch = SystemSources.epoch()
        cutter = MarketListProducer(presenter: presenter, latest: latest, epoch: epoch)
        documents = DocumentProducers(
            marketList: cutter,
            detail: MarketDetailPresenter(names: presenter.names),
            latest: latest,
            epoch: epoch
        )
        follow = FollowMarkets(
            feed: feed,
            details: details,
            reference: reference,
            board: board,
            latest: latest,
            cutInterval: configuration.cutInterval,
            clock: ContinuousClock(),
            now: SystemSources.now
        )
    }

    /// Follows the exchange until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await transport.run() }
            group.addTask { await follow.run() }
            group.addTask { await expireGlances() }
            if let archive { group.addTask { await archive.run() } }
            if let leadership {
                group.addTask { await leadership.run() }
                group.addTask { await leadership.forEachTerm { archive?.hurry() } }
            }
            await group.waitForAll()
        }
    }

    /// Has written what waits for the store, at the end of the program.
    func flush() async {
        await archive?.flush()
        await leadership?.resign()
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

    /// Ends the interest of readers that looked once and did not come back.
    private func expireGlances() async {
        while !Task.isCancelled {
            try? await ContinuousClock().sleep(for: .seconds(1))
            interests.expire(now: SystemSources.now())
            assetInterests.expire(now: SystemSources.now())
        }
    }

    /// Waits for a cut that meets a condition.
    ///
    /// - Returns: that cut; nil when the time ran out first.
    func cut(
        within limit: Duration,
        where isMet: @escaping @Sendable (BoardSnapshot) -> Bool
    ) async -> BoardSnapshot? {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: limit)
        while clock.now < deadline, !Task.isCancelled {
            let cut = latest.value
            if isMet(cut) { return cut }
            // Cuts are no closer together than this, so nothing is missed by looking so often.
            try? await clock.sleep(for: .milliseconds(5))
        }
        let last = latest.value
        return isMet(last) ? last : nil
    }
}
