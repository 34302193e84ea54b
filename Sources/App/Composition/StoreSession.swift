import Concurrency
import DataSourceContracts
import DataSourcesPostgreSQL
import DataSourcesBithumb
import Domain
import UseCases
import ViewStates
import Repositories
import Synchronization

/// The store of this program and the state of its user, wired up but not running.
struct StoreSession: Sendable {
    /// The longest wait for other processes that hold the file, at the end of the program.
    static let endLimit: Duration = .seconds(5)
    /// The part of it for market data, which no user asked to save.
    static let archiveLimit: Duration = .seconds(1)

    /// The store.
    let place: any ProgramStore
    /// The user of this program.
    let user: PinnedUser
    /// The user's access to a shared store; nil where no token is needed.
    private let access: TokenUserRepository?
    private let log: any Log

    /// The longest wait for another process that holds the file, at the start of the program.
    static let patienceAtStart = Duration.seconds(1)

    /// Wires the store and the user of this program.
    ///
    /// - Parameters:
    ///   - place: the store.
    ///   - token: names the user of a shared store.
    ///   - log: takes changes of the store's status.
    ///   - clock: measures the poll interval.
    /// - Throws: ``ProgramError`` `configuration` where a token is needed and none was given.
    init(
        place: any ProgramStore,
        token: AccessToken?,
        log: any Log,
        clock: any Clock<Duration>
    ) throws(ProgramError) {
        self.init(place: place, owner: try place.owner(token), log: log, clock: clock)
    }

    /// Wires a program without a user of its own.
    ///
    /// Of a shared store it reads no records.
    ///
    /// - Parameters:
    ///   - place: the store.
    ///   - log: takes changes of the store's status.
    ///   - clock: measures the poll interval.
    init(forAll place: any ProgramStore, log: any Log, clock: any Clock<Duration>) {
        let owner = place.anonymousUsers.map { StoreOwner(users: $0, user: .local) }
        self.init(place: place, owner: owner, log: log, clock: clock)
    }

    private init(
        place: any ProgramStore,
        owner: StoreOwner?,
        log: any Log,
        clock: any Clock<Duration>
    ) {
        self.place = place
        self.log = log
        access = owner?.access
        let service = UserStateService(
            repository: owner?.users ?? UnavailableUserRepository(.noStore),
            notifications: owner?.notifications,
            polls: true,
            outlet: .screen(fallsBackToMemory: !place.isShared),
            clock: clock
        )
        user = PinnedUser(owner?.user ?? .local, of: service)
        if owner != nil { Self.follow(user.state, log) }
    }

    /// Shows the user's alerts as soon as they are stored, and lets changed rules count at once.
    func follow(_ alerts: AlertEvaluation) {
        alerts.onStored { [user] _ in user.reload() }
        user.state.onChange { [weak alerts] in alerts?.hurry() }
    }

    /// Serves the user until the task is cancelled.
    func run() async { await user.run() }

    /// Checks the schema and the role of a shared store, and the token.
    ///
    /// An unreachable database is no error: the program waits for it while it runs.
    ///
    /// - Throws: ``ProgramError``: `unavailable` for an incompatible schema or role,
    ///   `configuration` for an invalid token.
    func check() async throws(ProgramError) {
        do throws(StoreError) {
            try await place.verifyAccess()
        } catch {
            guard error.code != .incompatible else {
                throw ProgramError(.unavailable, error.detail)
            }
            return
        }
        guard let access else { return }
        do throws(StoreFailure) {
            _ = try await access.grant()
        } catch {
            guard !error.isRetryable else { return }
            throw StoreAccess.error(error)
        }
    }

    /// Runs a job while the store is open.
    ///
    /// - Throws: ``ProgramError``: the error of the job.
    func using(
        _ job: @escaping @Sendable () async throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        try await place.using(job)
    }

    /// Begins the end: from now on no call waits longer than ``endLimit`` for a file.
    func hurry() { place.limitWaiting(to: Self.endLimit) }

    /// Applies the queued changes at the end of the program, saves market data and closes the
    /// store.
    ///
    /// Market data are saved only if the store works.
    ///
    /// - Returns: a sentence about the changes that failed, which is also logged; nil if none did.
    @discardableResult
    func end(_ markets: Markets) async -> String? {
        hurry()
        let unmade = await user.flush()
        let isFailing =
            user.state.value.status.isFailing || unmade.contains { $0.failure.isStoreFault }
        if !isFailing {
            place.limitWaiting(to: Self.archiveLimit)
            await markets.flush()
        }
        await place.close()
        guard let loss = StoreLog.loss(unmade) else { return nil }
        log.write(.error, loss)
        return loss
    }

    /// The status of the store for readiness checks.
    func readiness(_ markets: Markets) -> ReadinessDocument.Store {
        let figures = markets.archive?.status ?? MarketArchive.Status()
        return ReadinessDocument.Store(
            status: place.isNowhere ? nil : user.state.value.status,
            waitingPages: figures.waitingPages,
            droppedPages: figures.droppedPages,
            skippedRows: figures.skippedRows,
            archiveFailure: figures.failure ?? markets.candleWriter?.status.failure,
            newsFailure: place.newsFailure,
            readOnly: place.database.map(\.store.isReadOnly),
            candles: markets.candleWriter.map { ReadinessDocument.Store.Candles($0.status) },
            history: place.database?.store.history.map {
                ReadinessDocument.Store.History($0.status)
            }
        )
    }

    /// The endpoint with the kind of feed that it had last.
    ///
    /// A custom address may be a mirror or a simulator. The kind is unknown until it answers, and
    /// its last kind is the best guess. A separate store reads it, so that a file that another
    /// program holds does not delay the main one.
    ///
    /// - Parameters:
    ///   - exchange: the endpoint.
    ///   - patience: the longest wait.
    /// - Returns: the endpoint; unchanged if the store does not answer in time.
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

    /// Logs each new failure of the store once.
    private static func follow(_ state: UserStatePublisher, _ log: any Log) {
        let last = LastFailure()
        // The state keeps its listeners, so a listener that kept the state would leak both.
        state.onChange { [weak state] in
            guard let state else { return }
            if let failure = last.update(state.value.status) {
                StoreLog.write(failure, of: "personal", to: log)
            }
        }
    }
}

extension ReadinessDocument.Store.History {
    /// Presents the state of reading from standbys.
    fileprivate init(_ status: StandbyReader.Status) {
        self.init(
            isFromStandby: status.isUsed,
            age: status.age,
            failure: status.failure.map { StoreFailure($0) }
        )
    }
}

extension StoreStatus {
    /// Whether the store was read before and fails now.
    fileprivate var isFailing: Bool {
        if case .failing = self { return true }
        return false
    }
}

/// The failure that was logged last.
private final class LastFailure: Sendable {
    private let last = Mutex<StoreFailure?>(nil)

    /// The failure to log, or its end; nil if nothing changed.
    func update(_ status: StoreStatus) -> StoreFailure?? {
        last.withLock { last in
            guard status.failure != last else { return nil }
            last = status.failure
            return .some(last)
        }
    }
}
