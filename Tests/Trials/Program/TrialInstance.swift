import DataSourceContracts
import Domain
import PresentationHTTP
import Repositories
import TestSupport
import UseCases
import ViewStates

/// What an instance follows.
struct TrialInterests {
    let details = DetailInterests()
    let assets = AssetInterests()
    let periods = PeriodInterests()
    let names = CoinNames([:])
}

/// The stores that all instances of a trial share.
struct TrialStores: Sendable {
    /// Candles, closes, names and their leases.
    let market: InMemorySharedStore
    /// Users, alert rules, alerts and their lease.
    let users: InMemoryStore
    /// The users.
    let ids: [UserID]
}

/// One hoga on the trial's exchange and stores: everything between its transports and its
/// documents, wired as the program wires it.
final class TrialInstance: Sendable {
    let latest: SnapshotPublisher
    let documents: DocumentProducers
    let streams: DocumentStreams
    let interests = TrialInterests()
    let users: UserStateService
    let evaluation: AlertEvaluation
    let writer: CandleWriter
    let archive: MarketArchive
    let network: TrialNetwork
    private let follow: FollowMarkets
    private let election: LeaderElection
    private let clock: ManualClock
    private let now: @Sendable () -> Timestamp

    /// What an instance is made of.
    struct Parts {
        let name: String
        let network: TrialNetwork
        let stores: TrialStores
        let clock: ManualClock
        let now: @Sendable () -> Timestamp
        let random: @Sendable () -> UInt64
        let isCompressed: Bool
    }

    init(_ parts: Parts) {
        (network, clock, now) = (parts.network, parts.clock, parts.now)
        let (clock, now) = (parts.clock, parts.now)
        let board = MarketBoard(kind: .simulated)
        let latest = SnapshotPublisher(
            BoardSnapshot(board: board, sequence: 0, capturedAt: now())
        )
        self.latest = latest
        let sources = TrialSources(
            .init(
                network: network,
                clock: clock,
                now: now,
                random: parts.random,
                isCompressed: parts.isCompressed
            )
        )
        let market = sources.market
        writer = CandleWriter(
            .init(
                store: parts.stores.market,
                holder: parts.name,
                candles: sources.candles,
                identity: market.identity,
                clock: clock,
                now: now,
                exchangeClockLead: { market.exchangeClockLead },
                onEvent: { _ in },
                onFailure: { _ in }
            )
        )
        archive = MarketArchive(
            expecting: .simulated,
            parts: .init(
                store: LeaderStore(parts.stores.market, election: writer.election),
                latest: latest,
                clock: clock,
                now: now
            ) { _ in }
        )
        election = LeaderElection(
            .init(
                store: parts.stores.users,
                holder: parts.name,
                identity: market.identity,
                clock: clock,
                leadsRecordings: true,
                onEvent: { _ in },
                onFailure: { _ in }
            )
        )
        evaluation = AlertEvaluation(
            repository: StoredAlertRepository(
                source: parts.stores.users,
                webhooks: parts.stores.users,
                election: election,
                leadsForRulesAlone: true,
                now: now
            ),
            feed: .simulated,
            interests: AlertInterests(
                details: interests.details,
                periods: interests.periods,
                assets: interests.assets
            ),
            clock: clock,
            onFailure: { _ in }
        )
        let users = UserStateService(
            repository: StoredUserRepository(
                store: parts.stores.users,
                alerts: parts.stores.users,
                now: now
            ),
            notifications: nil,
            polls: true,
            outlet: .requests,
            clock: clock,
            onChange: { [evaluation] _ in evaluation.hurry() }
        )
        self.users = users
        evaluation.onStored { stored in for user in stored { users.invalidate(user) } }
        let presenter = MarketListPresenter(names: interests.names)
        let lists = MarketListProducer(
            rows: SharedMarketRows(
                presenter: presenter,
                latest: latest,
                periods: interests.periods
            ),
            personal: nil,
            epoch: parts.name
        )
        documents = DocumentProducers(
            marketList: lists,
            detail: MarketDetailPresenter(names: interests.names),
            latest: latest,
            epoch: parts.name
        )
        streams = DocumentStreams(
            documents: documents,
            latest: latest,
            interests: interests.details,
            assetInterests: interests.assets,
            bounds: .init(topicsMax: 16),
            clock: clock,
            random: { $0.lowerBound }
        )
        follow = FollowMarkets(
            feed: CandleTapFeed(market, for: writer),
            details: sources.details(interests, archive),
            reference: sources.reference(interests, archive),
            periods: sources.periods(interests),
            alerts: evaluation,
            board: board,
            latest: latest,
            snapshotInterval: .milliseconds(100),
            clock: clock,
            now: now
        )
    }

    /// Runs until the task is cancelled, as the program does.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await self.follow.run() }
            group.addTask { await self.archive.run() }
            group.addTask { await self.election.run() }
            group.addTask { await self.evaluation.run() }
            group.addTask { await self.users.run() }
            group.addTask { await self.writer.run() }
            group.addTask { await self.writer.election.forEachTerm { self.archive.hurry() } }
            group.addTask { await self.expireInterests() }
            await group.waitForAll()
        }
    }

    private func expireInterests() async {
        while (try? await clock.sleep(for: .seconds(1))) != nil {
            interests.details.expire(now: now())
            interests.assets.expire(now: now())
            interests.periods.expire(now: now())
        }
    }
}
