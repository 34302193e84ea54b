import Concurrency
public import Domain
import Synchronization

/// Keeps the state of any number of users: loads records, applies changes, and reloads records that
/// another process changed.
///
/// A terminal is the case of one pinned user: see ``PinnedUser``. A stale record is loaded when it
/// is asked for; callers share the load in flight. Pinned records are reloaded when they become
/// stale. While the store fails, the last record stays visible. Cached users have a budget of
/// bytes; users that are not in use are evicted for new ones, and without any these are refused.
public final class UserStateService: Sendable {
    /// The budget of a service that is not told another one, in bytes.
    public static let standardBytesMax = 64 << 20
    /// The most pinned records that are loaded at once.
    static let loadsMax = 8
    /// The interval of polls and of retries while a store fails.
    public static let pollInterval: Duration = .seconds(1)

    private let repository: any UserRepository
    private let notifications: (any ChangeNotificationRepository)?
    private let polls: Bool
    private let outlet: UserStateOutlet
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let onChange: @Sendable (UserID) -> Void
    private let onEviction: @Sendable ([UserID]) -> Void
    private let onLoss: @Sendable (UserID) -> Void
    private let entries: Mutex<UserStateEntries>
    /// The time until which notifications are complete; nil if that is not known.
    private let newsAt = Mutex<Duration?>(nil)
    private let wake = AsyncEvent()

    /// Makes a service without users.
    ///
    /// - Parameters:
    ///   - repository: reads and changes records.
    ///   - notifications: tells which users another process changed; nil if the store does not.
    ///   - polls: whether change counts are polled each ``pollInterval``.
    ///   - outlet: who uses the states.
    ///   - bytesMax: the budget of cached users, in estimated bytes.
    ///   - clock: measures the age of records.
    ///   - onChange: is called after each new state of a user; it must return at once.
    ///   - onEviction: is called with the users that left the cache; it must return at once.
    ///   - onLoss: is called with a user whose record in the store is older than it was before,
    ///     for example since a standby that was behind is the primary; it must return at once.
    public init(
        repository: any UserRepository,
        notifications: (any ChangeNotificationRepository)?,
        polls: Bool,
        outlet: UserStateOutlet,
        bytesMax: Int = standardBytesMax,
        clock: any Clock<Duration>,
        onChange: @escaping @Sendable (UserID) -> Void = { _ in },
        onEviction: @escaping @Sendable ([UserID]) -> Void = { _ in },
        onLoss: @escaping @Sendable (UserID) -> Void = { _ in }
    ) {
        self.repository = repository
        self.notifications = notifications
        self.polls = polls
        self.outlet = outlet
        entries = Mutex(UserStateEntries(bytesMax: bytesMax))
        self.clock = clock
        self.onChange = onChange
        self.onEviction = onEviction
        self.onLoss = onLoss
        stopwatch = Stopwatch(clock)
    }

    /// The cached users and their memory.
    public var size: UserStateSize {
        entries.withLock { .init(users: $0.users.count, bytes: $0.bytes, bytesMax: $0.bytesMax) }
    }

    // MARK: Reading

    /// The state of a user if it is cached and fresh.
    ///
    /// Never waits.
    ///
    /// - Returns: nil if ``state(of:)`` has to load it.
    public func current(_ user: UserID) -> UserStatePublisher? {
        entries.withLock { entries in
            let (time, newsAt) = (stopwatch.elapsed, newsAt.withLock(\.self))
            let needed = entries[user]?.policy.use(at: time, newsAt: newsAt)
            guard let needed, let entry = entries[user],
                entry.policy.isShown(needing: needed, at: time)
            else { return nil }
            return entry.publisher
        }
    }

    /// The time since a cached record was last known to be the store's; nil while it is current.
    public func age(of user: UserID) -> Duration? {
        let (time, newsAt) = (stopwatch.elapsed, newsAt.withLock(\.self))
        return entries.withLock { $0[user]?.age(at: time, newsAt: newsAt) }
    }

    /// The state of a user, loaded if it is stale.
    ///
    /// - Throws: ``StoreFailure`` if nothing was read before and the store fails; `busy` if the
    ///   cache is full of users in use.
    public func state(of user: UserID) async throws(StoreFailure) -> UserStatePublisher {
        var (publisher, needed) = try use(user)
        while true {
            let (step, loads) = entries.withLock { entries in
                guard entries[user]?.publisher === publisher else {
                    return (RefreshPolicy.Step?.none, AsyncValue<UInt64>?.none)
                }
                let step = entries[user]?.step(needing: needed, at: stopwatch.elapsed)
                return (step, entries[user]?.loads)
            }
            switch step {
            // Evicted meanwhile.
            case nil: (publisher, needed) = try use(user)
            case .show: return publisher
            case .fail(let failure): throw failure
            case .load(let load): await self.load(user, publisher, load)
            case .wait:
                // The load may have ended before: its count has changed then.
                guard let loads, await waitForLoad(of: user, loads) else { throw .ending }
            }
        }
    }

    /// Keeps a user in the cache and reloads the record when it becomes stale, until
    /// ``unpin(_:)`` was called as often.
    ///
    /// - Returns: the state, which may be unread.
    /// - Throws: ``StoreFailure`` `busy` if the cache is full of users in use.
    @discardableResult
    public func pin(_ user: UserID) throws(StoreFailure) -> UserStatePublisher {
        let publisher = try use(user, pins: 1).publisher
        wake.signal()
        return publisher
    }

    /// Takes back one ``pin(_:)``.
    public func unpin(_ user: UserID) {
        entries.withLock { $0[user]?.policy.pins -= 1 }
    }

    /// Makes the record of a user stale.
    public func invalidate(_ user: UserID) {
        entries.withLock { $0[user]?.policy.invalidate() }
        wake.signal()
    }

    // MARK: Changing

    /// Applies a change.
    ///
    /// - Returns: the state after the change.
    /// - Throws: ``StoreFailure``, as the repository does. The record is unchanged then.
    @discardableResult
    public func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserState {
        try change.validate()
        let publisher = try use(user).publisher
        if outlet != .requests, publisher.value.status.isUnread {
            // A failed load decides whether the change is made in memory.
            _ = try? await state(of: user)
        }
        if try changeInMemory(change, user) { return publisher.value }
        let load = entries.withLock { $0[user]?.policy.beginChange() }
        let call = publisher.beginCall()
        defer { publisher.endCall(call) }
        do throws(StoreFailure) {
            let record = try await repository.perform(change, of: user)
            update(user) { entry in
                if let load { entry.policy.endChange(load, succeeded: true, at: stopwatch.elapsed) }
                entry.machine.changed(record)
            }
            return publisher.value
        } catch {
            if let load {
                let time = stopwatch.elapsed
                update(user) { $0.policy.endChange(load, succeeded: false, at: time) }
            }
            throw error
        }
    }

    /// Publishes that a change of a screen failed; nil for requests.
    func reject(_ change: UserChange, of user: UserID, _ failure: StoreFailure) -> RejectedChange? {
        update(user) { $0.machine.rejected(change, failure) } ?? nil
    }

    /// Takes a failure that another writer to the same store reports.
    func report(_ failure: StoreFailure, of user: UserID) {
        update(user) { $0.machine.reported(failure) }
    }

    private func changeInMemory(
        _ change: UserChange,
        _ user: UserID
    ) throws(StoreFailure) -> Bool {
        let result: Result<Bool, StoreFailure>? = update(user) { entry in
            guard entry.machine.isVolatile else { return .success(false) }
            do throws(StoreFailure) {
                try entry.machine.changeInMemory(change)
                return .success(true)
            } catch {
                return .failure(error)
            }
        }
        return try result?.get() ?? false
    }

    // MARK: Running

    /// Takes notifications, polls, and reloads pinned records until the task is cancelled.
    public func run() async {
        await withTaskGroup { group in
            if let notifications {
                group.addTask { await notifications.run { self.receive($0) } }
            }
            group.addTask { await self.refresh() }
            group.addTask {
                while !Task.isCancelled {
                    try? await self.clock.sleep(for: Self.pollInterval)
                    self.retryFailed()
                    self.wake.signal()
                    if self.polls { await self.poll() }
                }
            }
            await group.waitForAll()
        }
    }

    private func receive(_ notification: ChangeNotification) {
        if case .current(let age) = notification {
            return newsAt.withLock { $0 = stopwatch.elapsed - age }
        }
        entries.withLock { entries in
            for user in notification.users ?? Array(entries.users.keys) {
                entries[user]?.policy.invalidate()
            }
        }
        wake.signal()
    }

    private func retryFailed() {
        guard outlet != .requests else { return }
        entries.withLock { entries in
            let failing = entries.users.filter { $0.value.machine.needsRetry }.keys
            for user in failing { entries[user]?.policy.invalidateOnce() }
        }
    }

    /// Compares the change counts of records in use with those of the last poll.
    private func poll() async {
        let time = stopwatch.elapsed
        let users = entries.withLock { entries in
            entries.users.filter { $0.value.isPolled(at: time) }
        }
        for (user, entry) in users {
            guard !Task.isCancelled else { return }
            let call = entry.publisher.beginCall()
            let count = try? await repository.changeCount(of: user)
            entry.publisher.endCall(call)
            // After a failure the load reports it.
            let isChanged = entries.withLock { entries in
                guard entries[user]?.changeCount != count || count == nil else { return false }
                entries[user]?.changeCount = count
                entries[user]?.policy.invalidate()
                return true
            }
            if isChanged { wake.signal() }
        }
    }

    /// Reloads pinned records that are stale.
    private func refresh() async {
        while !Task.isCancelled {
            let time = stopwatch.elapsed
            let newsAt = newsAt.withLock(\.self)
            let stale = entries.withLock { entries in
                entries.users.filter { $0.value.isPinnedAndStale(at: time, newsAt: newsAt) }
                    .map(\.key)
            }
            await withTaskGroup(of: Void.self) { group in
                for (number, user) in stale.enumerated() {
                    if number >= Self.loadsMax { await group.next() }
                    // A failed load is repeated after the next poll interval.
                    group.addTask { _ = try? await self.state(of: user) }
                }
                await group.waitForAll()
            }
            guard await wake.wait() else { return }
        }
    }

    // MARK: Loading

    private func load(
        _ user: UserID,
        _ publisher: UserStatePublisher,
        _ load: RefreshPolicy.Load
    ) async {
        let call = publisher.beginCall()
        let result = await read(user)
        publisher.endCall(call)
        var isLoss = false
        let loads: AsyncValue<UInt64>? = update(user) { entry in
            let time = stopwatch.elapsed
            switch result {
            case .success(let read):
                if let count = read.changeCount { entry.changeCount = count }
                let mayBeOlder = entry.policy.loaded(load, failure: nil, at: time)
                isLoss = entry.machine.loaded(
                    read.record,
                    mayBeOlder: mayBeOlder,
                    check: read.check,
                    at: time
                )
            case .failure(let failure):
                _ = entry.policy.loaded(load, failure: failure, at: time)
                if !Task.isCancelled { entry.machine.loadFailed(failure) }
            }
            return entry.loads
        }
        loads?.update { $0 += 1 }
        if isLoss { onLoss(user) }
    }

    private func read(_ user: UserID) async -> Result<UserRecordReading, StoreFailure> {
        let time = stopwatch.elapsed
        let (isCounted, needsCheck) = entries.withLock { entries in
            let entry = entries[user]
            return (
                entry?.changeCount != nil || !polls,
                entry?.machine.needsWriteCheck(at: time) ?? false
            )
        }
        do throws(StoreFailure) {
            return .success(
                try await UserRecordReading(
                    user,
                    from: repository,
                    counting: !isCounted,
                    checking: needsCheck
                )
            )
        } catch {
            return .failure(error)
        }
    }

    /// Waits until the load in flight ends; false if the task is cancelled.
    private func waitForLoad(of user: UserID, _ loads: AsyncValue<UInt64>) async -> Bool {
        let count = loads.value
        let isLoading = entries.withLock { $0[user]?.policy.isLoading ?? false }
        guard isLoading else { return true }
        return await loads.first { $0 != count } != nil
    }

    // MARK: Entries

    /// Changes an entry and publishes its state if that differs afterwards.
    ///
    /// - Returns: the result of `change`; nil if the user is not cached.
    @discardableResult
    private func update<Value: Sendable>(
        _ user: UserID,
        _ change: (inout UserStateEntry) -> Value
    ) -> Value? {
        entries.withLock { entries in
            guard var entry = entries[user] else { return nil }
            let before = entry.machine.state.sequence
            let value = change(&entry)
            entries[user] = entry
            let state = entry.machine.state
            // Under the lock, so that states are published in order.
            if state.sequence != before { entry.publisher.publish(state) }
            return value
        }
    }

    private func use(
        _ user: UserID,
        pins: Int = 0
    ) throws(StoreFailure) -> (publisher: UserStatePublisher, needed: UInt64) {
        let time = stopwatch.elapsed
        let newsAt = newsAt.withLock(\.self)
        let (found, evicted) = entries.withLock { entries in
            let evicted = entries.admit(user) {
                UserStateEntry(user, outlet: outlet, at: time, onChange: onChange)
            }
            entries[user]?.policy.pins += pins
            let needed = entries[user]?.policy.use(at: time, newsAt: newsAt) ?? 0
            return (entries[user].map { (publisher: $0.publisher, needed: needed) }, evicted)
        }
        if !evicted.isEmpty { onEviction(evicted) }
        guard let found else { throw .tooManyUsers }
        return found
    }
}
