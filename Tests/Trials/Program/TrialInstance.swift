import DataSourceContracts
import Domain
import PresentationHTTP
import Repositories
import TestSupport
import UseCases
import ViewStates

/// The interests of one instance.
struct TrialInterests {
    let details = DetailInterests()
    let assets = AssetInterests()
    let periods = PeriodInterests()
    let names = CoinNames([:])
}

/// The stores that all instances of a trial share, by one connection.
struct TrialStores: Sendable {
    /// Candles, closes, names and their leases.
    let market: InMemorySharedStore
    /// Users, alert rules, alerts and their lease.
    let users: InMemoryStore
    /// The users.
    let ids: [UserID]

    /// Another connection to the same stores, which fails on its own.
    func connected() -> TrialStores {
        TrialStores(market: market.connected(), users: users.connected(), ids: ids)
    }

    /// Makes every call fail; nil ends it.
    func fail(_ error: StoreError?, afterwards: Bool) {
        users.fail(error, afterwards: afterwards)
        market.fail(error, afterwards: afterwards)
    }
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
    /// More documents than the trial's readers have.
    static let topicsMax = 16
    private let election: LeaderElection
    private let clock: ManualClock
    let now: @Sendable () -> Timestamp

    /// The dependencies of an instance.
    struct Parts {
        let name: String
        let network: TrialNetwork
        let stores: TrialStores
        let clock: ManualClock
        let now: @Sendable () -> Timestamp
        let onDate: @Sendable (Int64, Duration) -> Void
        let random: @Sendable () -> UInt64
        let isCompressed: Bool
    }

    init(_ parts: Parts) {
        (network, clock, now) = (parts.network, parts.clock, parts.now)
        let board = MarketBoard(kind: .simulated)
        latest = SnapshotPublisher(
            BoardSnapshot(board: board, sequence: 0, capturedAt: parts.now())
        )
        let sources = TrialSources(parts.sources)
        let identity = sources.market.identity
        writer = parts.writer(sources)
        archive = parts.archive(latest, writer.election)
        election = parts.election(identity)
        evaluation = parts.evaluation(election, interests)
        users = parts.users(evaluation)
        evaluation.onStored { [users] in for user in $0 { users.invalidate(user) } }
        documents = parts.documents(latest, interests)
        streams = DocumentStreams(
            documents: documents,
            latest: latest,
            interests: interests.details,
            assetInterests: interests.assets,
            bounds: .init(topicsMax: Self.topicsMax),
            clock: clock,
            random: { $0.lowerBound }
        )
        follow = FollowMarkets(
            feed: CandleTapFeed(sources.market, for: writer),
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

extension TrialInstance.Parts {
    fileprivate var sources: TrialSources.Parts {
        .init(
            network: network,
            clock: clock,
            now: now,
            onDate: onDate,
            random: random,
            isCompressed: isCompressed
        )
    }

    fileprivate func writer(_ sources: TrialSources) -> CandleWriter {
        let market = sources.market
        return CandleWriter(
            .init(
                store: stores.market,
                holder: name,
                candles: sources.candles,
                identity: market.identity,
                clock: clock,
                now: now,
                exchangeClockLead: { market.exchangeClockLead },
                onEvent: { _ in },
                onFailure: { _ in }
            )
        )
    }

    fileprivate func archive(
        _ latest: SnapshotPublisher,
        _ election: LeaderElection
    ) -> MarketArchive {
        MarketArchive(
            expecting: .simulated,
            parts: .init(
                store: LeaderStore(stores.market, election: election),
                latest: latest,
                clock: clock,
                now: now
            ) { _ in }
        )
    }

    fileprivate func election(_ identity: FeedIdentity) -> LeaderElection {
        LeaderElection(
            .init(
                store: stores.users,
                holder: name,
                identity: identity,
                clock: clock,
                leadsRecordings: true,
                onEvent: { _ in },
                onFailure: { _ in }
            )
        )
    }

    fileprivate func evaluation(
        _ election: LeaderElection,
        _ interests: TrialInterests
    ) -> AlertEvaluation {
        AlertEvaluation(
            repository: StoredAlertRepository(
                source: stores.users,
                webhooks: stores.users,
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
    }

    fileprivate func users(_ evaluation: AlertEvaluation) -> UserStateService {
        UserStateService(
            repository: StoredUserRepository(store: stores.users, alerts: stores.users, now: now),
            notifications: nil,
            polls: true,
            outlet: .requests,
            clock: clock,
            onChange: { _ in evaluation.hurry() }
        )
    }

    fileprivate func documents(
        _ latest: SnapshotPublisher,
        _ interests: TrialInterests
    ) -> DocumentProducers {
        let lists = MarketListProducer(
            rows: SharedMarketRows(
                presenter: MarketListPresenter(names: interests.names),
                latest: latest,
                periods: interests.periods
            ),
            personal: nil,
            epoch: name
        )
        return DocumentProducers(
            marketList: lists,
            detail: MarketDetailPresenter(names: interests.names),
            latest: latest,
            epoch: name
        )
    }
}
