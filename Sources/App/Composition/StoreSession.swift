import Concurrency
import DataSourceContracts
import DataSourcesPostgreSQL
import DataSourcesBithumb
import Domain
import UseCases
import ViewStates
import Repositories
import Synchronization

/// What this program keeps over restarts for the single person, wired up but not running.
struct StoreSession: Sendable {
    /// How long the end of the program waits for other processes that hold the file, in all.
    static let endLimit: Duration = .seconds(5)
    /// How much of that is left for what nobody asked for.
    static let archiveLimit: Duration = .seconds(1)

    /// Where.
    let place: any ProgramStore
    /// What is kept, as it was read last.
    let latest: UserStatePublisher
    /// Takes changes from those who do not wait.
    let commands: UserChangeQueue
    /// Makes changes, and reads those of other processes.
    let personal: PinnedUserState
    /// Whose it is, where a token says so.
    private let authorized: TokenUserRepository?
    private let log: any Log

    /// How long the start of the program waits for somebody else who holds the file.
    static let patienceAtStart = Duration.seconds(1)

    /// Wires store, repository and use case for whoever uses this program.
    ///
    /// - Parameters:
    ///   - place: where everything is kept.
    ///   - token: says whose it is where others keep theirs too.
    ///   - log: takes the store's changes of state.
    ///   - clock: measures how often the store is asked for changes of others.
    /// - Throws: ``ProgramError`` `configuration` where a token is needed and none was given.
    init(
        place: any ProgramStore,
        token: AccessToken?,
        log: any Log,
        clock: any Clock<Duration>
    ) throws(ProgramError) {
        let owner = try place.owner(token)
        self.init(
            place: place,
            owner: owner?.personal,
            user: owner?.user ?? .local,
            log: log,
            clock: clock
        )
    }

    /// Wires what needs no user: where others keep theirs too, nothing personal is read.
    ///
    /// - Parameters:
    ///   - place: where market data are kept.
    ///   - log: takes the store's changes of state.
    ///   - clock: measures how often the store is asked how it is.
    init(forAll place: any ProgramStore, log: any Log, clock: any Clock<Duration>) {
        self.init(place: place, owner: place.everybody, user: .local, log: log, clock: clock)
    }

    private init(
        place: any ProgramStore,
        owner: (any UserRepository)?,
        user: UserID,
        log: any Log,
        clock: any Clock<Duration>
    ) {
        self.place = place
        self.log = log
        authorized = owner as? TokenUserRepository
        latest = UserStatePublisher(
            UserState(
                user: user,
                record: UserRecord(name: "local"),
                status: .opening,
                sequence: 0
            )
        )
        commands = UserChangeQueue()
        personal = PinnedUserState(
            repository: owner,
            isShared: place.isShared,
            latest: latest,
            commands: commands,
            clock: clock
        )
        if owner != nil { Self.follow(latest, log) }
    }

    /// Reads, makes changes and notices those of others, until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await personal.run() }
            if let news = place.notifications, let authorized {
                group.addTask { await hear(news, for: authorized) }
            }
            await group.waitForAll()
        }
    }

    /// Has looked at once whenever something of the owner was changed.
    private func hear(_ news: any ChangeNotificationSource, for owner: TokenUserRepository) async {
        let commands = commands
        await news.run { news in
            if owner.concerns(news) { commands.signalChange() }
        }
    }

    /// Looks at the start whether a shared store is one that this program can live with, and
    /// whether the token opens it.
    ///
    /// A database that is away ends nothing: it is waited for beside everything else.
    ///
    /// - Throws: ``ProgramError``: `unavailable` for a store of another version or a role that may
    ///   not use it, `configuration` for a token that opens nothing.
    func check() async throws(ProgramError) {
        do throws(StoreError) {
            try await place.verifyAccess()
        } catch {
            guard error.code != .incompatible else {
                throw ProgramError(.unavailable, error.detail)
            }
            return
        }
        guard let authorized else { return }
        do throws(StoreFailure) {
            _ = try await authorized.grant()
        } catch {
            guard !error.isRetryable else { return }
            throw StoreAccess.error(error)
        }
    }

    /// Does a job that uses what is kept, from the first call to the last.
    ///
    /// - Throws: ``ProgramError``: what the job throws.
    func using(
        _ job: @escaping @Sendable () async throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        try await place.using(job)
    }

    /// Lets the end begin: nobody waits longer than ``endLimit`` for a file from now on, whoever
    /// waits already included.
    func hurry() { place.limitWaiting(to: Self.endLimit) }

    /// Makes what waits durable, at the end of the program, and closes the file.
    ///
    /// Market data are kept only where the store did not fail before.
    ///
    /// - Returns: one sentence about the changes that were not made, which is in the log too; nil
    ///   if all were.
    @discardableResult
    func end(_ markets: Markets) async -> String? {
        hurry()
        let unmade = await personal.flush()
        let isFailing = latest.value.status.isFailing || unmade.contains { $0.failure.isStoreFault }
        if !isFailing {
            place.limitWaiting(to: Self.archiveLimit)
            await markets.flush()
        }
        await place.close()
        guard let loss = StoreLog.loss(unmade) else { return nil }
        log.write(.error, loss)
        return loss
    }

    /// How the store stands, for those who ask whether the program is ready.
    func readiness(_ markets: Markets) -> ReadinessDocument.Store {
        let figures = markets.archive?.status ?? MarketArchive.Status()
        return ReadinessDocument.Store(
            status: place.isNowhere ? nil : latest.value.status,
            waitingPages: figures.waitingPages,
            droppedPages: figures.droppedPages,
            skippedRows: figures.skippedRows,
            archiveFailure: figures.failure ?? markets.leadership?.status.failure,
            newsFailure: place.newsFailure,
            candles: markets.leadership.map { ReadinessDocument.Store.Candles($0.status) }
        )
    }

    /// The endpoint with what it is to be taken for until it answers.
    ///
    /// At an address of their own people have mirrors and simulators: what it last was says more
    /// than a guess. A file that another program holds is waited for by a store of its own: nothing
    /// is composed before this answers.
    ///
    /// - Parameters:
    ///   - exchange: may turn out to be another one's.
    ///   - patience: how long it is waited for.
    /// - Returns: the endpoint; as it came where nothing was told in time.
    func expecting(
        _ exchange: ExchangeEndpoint,
        within patience: Duration = Self.patienceAtStart
    ) async -> ExchangeEndpoint {
        guard exchange.kind == .live, exchange.restURL != BithumbAddresses.rest,
            let hasty = place.market(waitingAtMost: patience)
        else { return exchange }
        let last = await withTimeout(patience, clock: ContinuousClock()) {
            await MarketArchive.lastKind(in: hasty.store)
        }
        await hasty.close()
        // A database that hangs gives no answer in time.
        guard let last = last ?? nil else { return exchange }
        var exchange = exchange
        exchange.expectedKind = last
        return exchange
    }

    /// Says in the log what fails, once.
    private static func follow(_ latest: UserStatePublisher, _ log: any Log) {
        let told = LastFailure()
        latest.onChange {
            if let news = told.news(latest.value.status) {
                StoreLog.write(news, of: "personal", to: log)
            }
        }
    }
}

extension StoreStatus {
    /// Whether the store was read before, and fails.
    fileprivate var isFailing: Bool {
        if case .failing = self { return true }
        return false
    }
}

/// The failure that the log has told last.
private final class LastFailure: Sendable {
    private let last = Mutex<StoreFailure?>(nil)

    /// What the log is to be told; nil if it knows.
    func news(_ status: StoreStatus) -> StoreFailure?? {
        last.withLock { last in
            guard status.failure != last else { return nil }
            last = status.failure
            return .some(last)
        }
    }
}
