public import Domain

/// Keeps what is personal of one user: reads it, makes changes, and notices those that other
/// processes make.
///
/// A change is published when it is durable, not before. Without a store, or with one that cannot
/// be opened, everything goes on in memory and says so: the status is `volatile`. Such a store is
/// tried again each second for as long as nothing was changed in memory. A store that does not take
/// a change is `failing` until it takes one again, which is tried each second.
///
/// A store that others share is no such thing: while it cannot be reached nothing goes on in
/// memory, changes are refused, and it is tried again each second. A token that opens nothing any
/// more takes what is personal from the screen.
public actor PinnedUserState {
    /// How often the store is asked for changes of others.
    public static let pollInterval: Duration = .seconds(1)

    private let repository: (any UserRepository)?
    private let isShared: Bool
    private let user: UserID
    private let latest: UserStatePublisher
    private let commands: UserChangeQueue
    private let clock: any Clock<Duration>

    private var record: UserRecord
    private var status: StoreStatus
    private var refusal: RejectedChange?
    private var sequence: UInt64
    private var refusalCount: UInt64 = 0
    private var isChangedInMemory = false
    private var changeCount: Int64?
    /// Whether changes may be asked for at all.
    private var allowsChanges = true
    /// Why the store does not take changes, as far as is known.
    private var writeFailure: StoreFailure?
    /// Counts what was changed from here: a reading that was under way meanwhile may be older.
    private var changes: UInt64 = 0
    /// Whether the store is being asked, and whether it is to be once more afterwards.
    private var looks: (isUnderWay: Bool, again: Bool) = (false, false)

    /// Prepares to keep.
    ///
    /// - Parameters:
    ///   - repository: where everything is kept; nil if nothing is to be.
    ///   - isShared: whether others keep theirs there too, so that nothing goes on in memory.
    ///   - latest: where cuts are published; its value is what to start with, and names the user.
    ///   - commands: changes of those who do not wait.
    ///   - clock: measures ``pollInterval``.
    public init(
        repository: (any UserRepository)?,
        isShared: Bool = false,
        latest: UserStatePublisher,
        commands: UserChangeQueue,
        clock: any Clock<Duration>
    ) {
        self.repository = repository
        self.isShared = isShared
        self.latest = latest
        self.commands = commands
        self.clock = clock
        let cut = latest.value
        user = cut.user
        record = cut.record
        status = cut.status
        sequence = cut.sequence
    }

    /// Reads, then makes the changes that are handed in and notices those of others, until the
    /// task is cancelled.
    public func run() async {
        await look()
        await withTaskGroup { group in
            group.addTask { await self.poll() }
            group.addTask { await self.obey() }
            await group.waitForAll()
        }
    }

    /// Makes the changes that still wait, at the end of a program.
    ///
    /// A store that fails then is not tried again: what waits behind fails with it. A change that
    /// was under way when the task of ``run()`` was cancelled is one of those that wait.
    ///
    /// - Returns: the changes that were not made, and why.
    public func flush() async -> [RejectedChange] {
        var unmade: [RejectedChange] = []
        var storeFailure: StoreFailure?
        while let change = commands.first {
            do throws(StoreFailure) {
                if let storeFailure { throw storeFailure }
                _ = try await make(change)
            } catch {
                if error.isStoreFault { storeFailure = error }
                unmade.append(refuse(change, error))
            }
            commands.dropFirst()
        }
        if let change = commands.takeOverflow() { unmade.append(refuse(change, .tooManyWaiting)) }
        return unmade
    }

    /// Makes a change.
    ///
    /// - Returns: what is kept afterwards, as it is published.
    /// - Throws: ``StoreFailure``, which is published as a refusal; nothing is changed.
    @discardableResult
    public func perform(_ change: UserChange) async throws(StoreFailure) -> UserState {
        do throws(StoreFailure) {
            return try await make(change)
        } catch {
            refuse(change, error)
            throw error
        }
    }

    private func make(_ change: UserChange) async throws(StoreFailure) -> UserState {
        try change.validate()
        if status.isUnread { await readStore() }
        guard let repository, !isVolatile else {
            let changed = try record.applying(change)
            isChangedInMemory = isChangedInMemory || changed != record
            return publish(changed, status)
        }
        changes += 1
        defer { changes += 1 }
        let call = latest.beginCall()
        defer { latest.endCall(call) }
        let changed = try await repository.perform(change, of: user)
        writeFailure = nil
        // Of two changes that were made side by side, the answers may come in the other order.
        return publish(changed.isOlder(than: record) ? record : changed, .ready)
    }

    private var isVolatile: Bool {
        if case .volatile = status { return true }
        return false
    }

    private func poll() async {
        while !Task.isCancelled {
            try? await clock.sleep(for: Self.pollInterval)
            if !Task.isCancelled { await look() }
        }
    }

    /// Reads the store if it has changed; if it is being read already, once more afterwards: what
    /// was read before the news came may be older than they are.
    private func look() async {
        guard !looks.isUnderWay else {
            looks.again = true
            return
        }
        looks.isUnderWay = true
        defer { looks.isUnderWay = false }
        repeat {
            looks.again = false
            await readStore()
        } while looks.again && !Task.isCancelled
    }

    /// Reads the store if it has changed, or was not read yet.
    private func readStore() async {
        guard let repository else {
            if !isVolatile { publish(record, .volatile(.noStore)) }
            return
        }
        guard !(isVolatile && isChangedInMemory) else { return }
        let changesBefore = changes
        let call = latest.beginCall()
        defer { latest.endCall(call) }
        do throws(StoreFailure) {
            let count = try await repository.changeCount(of: user)
            guard count != changeCount || status != .ready else { return }
            let read = try await repository.record(of: user)
            // Of a shared store a token may open reading alone, which is asked once a time.
            let isAsked = writeFailure != nil || (isShared && status != .ready)
            let refused = isAsked ? await failureOfWriting(repository) : nil
            guard changes == changesBefore, !isChangedInMemory, !Task.isCancelled else { return }
            changeCount = count
            if isAsked { allowsChanges = refused?.code != .forbidden }
            // A token that opens reading alone says nothing of the store.
            let failure = refused.flatMap { $0.isStoreFault ? $0 : nil }
            writeFailure = failure
            let status = failure.map(StoreStatus.failing) ?? .ready
            if read != record || status != self.status {
                publish(read, status, keepsRefusal: true)
            }
        } catch {
            guard !Task.isCancelled, !isChangedInMemory else { return }
            let failed = status.failed(error, isShared: isShared)
            let shown = error.deniesAccess ? record.withoutContent : record
            if shown != record { changeCount = nil }
            if failed != status || shown != record { publish(shown, failed, keepsRefusal: true) }
        }
    }

    private func failureOfWriting(_ repository: any UserRepository) async -> StoreFailure? {
        do throws(StoreFailure) {
            try await repository.checkWriting(of: user)
            return nil
        } catch {
            return error
        }
    }

    private func obey() async {
        while !Task.isCancelled {
            await commands.wait()
            await makeChanges()
        }
    }

    /// Makes the changes that wait, and says which found no place.
    private func makeChanges() async {
        while let change = commands.first {
            do throws(StoreFailure) {
                _ = try await make(change)
            } catch {
                // A cancelled change may have come to nothing: the end of the program makes it.
                if Task.isCancelled { return }
                refuse(change, error)
            }
            commands.dropFirst()
        }
        if let change = commands.takeOverflow() { refuse(change, .tooManyWaiting) }
        if let failure = commands.takeReported() { suspect(failure) }
        if commands.takeNews() { await look() }
    }

    /// Takes a store for failing that others found so; the next look says whether it is.
    private func suspect(_ failure: StoreFailure) {
        guard status == .ready, failure.isStoreFault else { return }
        writeFailure = failure
        publish(record, .failing(failure), keepsRefusal: true)
    }

    @discardableResult
    private func refuse(_ change: UserChange, _ failure: StoreFailure) -> RejectedChange {
        refusalCount += 1
        let refusal = RejectedChange(change: change, failure: failure, number: refusalCount)
        self.refusal = refusal
        var status = status
        var record = record
        if failure.deniesAccess {
            record = record.withoutContent
            changeCount = nil
        }
        if failure.isStoreFault, failure != .tooManyWaiting {
            switch status {
            case .ready, .failing:
                writeFailure = failure
                status = .failing(failure)
            case .opening, .waiting, .volatile: break
            }
        }
        publish(record, status, keepsRefusal: true)
        return refusal
    }

    @discardableResult
    private func publish(
        _ record: UserRecord,
        _ status: StoreStatus,
        keepsRefusal: Bool = false
    ) -> UserState {
        self.record = record
        self.status = status
        if !keepsRefusal { refusal = nil }
        sequence += 1
        let cut = UserState(
            user: user,
            record: record,
            status: status,
            refusal: refusal,
            allowsChanges: allowsChanges,
            sequence: sequence
        )
        latest.publish(cut)
        return cut
    }
}

extension StoreStatus {
    /// The status after a reading that failed.
    fileprivate func failed(_ failure: StoreFailure, isShared: Bool) -> StoreStatus {
        switch self {
        case .opening, .waiting:
            // Somebody else writes for long, or migrates: it will be over.
            failure.code == .busy || isShared ? .waiting(failure) : .volatile(failure)
        case .volatile: .volatile(failure)
        case .failing(let former)
        where former.deniesAccess && !failure.deniesAccess && isShared:
            // What was taken from the screen then is not known any more.
            .waiting(failure)
        case .ready, .failing: .failing(failure)
        }
    }
}

extension StoreFailure {
    /// Nobody asked for a store.
    public static let noStore = StoreFailure(
        .unavailable,
        "no store was asked for: changes last until the program ends"
    )

    /// More changes wait than may.
    static let tooManyWaiting = StoreFailure(
        .busy,
        "\(UserChangeQueue.waitingMax) changes wait for the store; repeat it in a moment"
    )
}

extension UserRecord {
    /// What is left to whom nothing may be shown: how the screen looks.
    fileprivate var withoutContent: UserRecord {
        var record = UserRecord(name: profile.value.name)
        record.settings = settings
        return record
    }

    /// Whether some part has a lower revision than in another record.
    func isOlder(than other: UserRecord) -> Bool {
        profile.revision < other.profile.revision || favorites.revision < other.favorites.revision
            || settings.revision < other.settings.revision
            || holdings.revision < other.holdings.revision || cash.revision < other.cash.revision
    }
}
