import Concurrency
import Domain
import Synchronization

extension AlertEvaluation {
    /// Reads rules and stores alerts until the task is cancelled.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.repository.forEachTerm { self.hurry() } }
            group.addTask { await self.work() }
            await group.waitForAll()
        }
    }

    /// Stores the alerts that wait and the last values, at the end of the program.
    public func flush() async {
        await storePending()
        await saveValues()
    }

    private func work() async {
        var savedAt = stopwatch.elapsed
        var updatedAt: Duration?
        while !Task.isCancelled {
            // Alerts do not wait for rules.
            await storePending()
            let now = stopwatch.elapsed
            let age = updatedAt.map { now - $0 } ?? Self.changesInterval
            let isHinted = mayLackRules
            if age >= (isHinted ? Self.hintInterval : Self.changesInterval) {
                updatedAt = now
                state.withLock { $0.isHurried = false }
                await updateRules()
                await storePending()
            }
            if now - savedAt >= Self.valuesInterval {
                savedAt = now
                await saveValues()
            }
            let limit = mayLackRules ? Self.hintInterval : Self.changesInterval
            await wake.wait(within: limit, clock: clock)
        }
    }

    /// Whether rules may have changed, or a term has begun or ended.
    private var mayLackRules: Bool {
        state.withLock { state in
            state.isHurried || repository.term(of: state.feed) != state.term
        }
    }

    // MARK: Rules

    private func updateRules() async {
        let (feed, isLoaded, term) = state.withLock { ($0.feed, $0.isLoaded, $0.term) }
        let newTerm = repository.term(of: feed)
        if newTerm == nil { state.withLock { $0.term = nil } }
        do throws(StoreFailure) {
            let changed = try await repository.changedUsers()
            if let changed, !changed.isEmpty { tellChanged(changed) }
            // A reading that fails is repeated.
            let unread = state.withLock { state in
                state.unread.formUnion(changed ?? [])
                return state.unread
            }
            if !isLoaded || changed == nil {
                try await load(feed, newTerm)
            } else if let newTerm, newTerm != term {
                try await begin(newTerm, feed)
            } else if !unread.isEmpty {
                install(try await repository.owners(Array(unread), feed: feed), feed)
            }
            note(nil, of: .read)
        } catch {
            note(error, of: .read)
        }
    }

    /// Reads everything about a feed.
    private func load(_ feed: FeedKind, _ term: Int64?) async throws(StoreFailure) {
        let values = try await repository.values(of: feed)
        let owners = try await repository.owners(nil, feed: feed)
        let isSame = state.withLock { state in
            guard state.feed == feed else { return false }
            state.observer = AlertObserver(feed: feed, restoring: values)
            state.observer.set(owners)
            state.observer.replaceFirings(by: owners)
            state.pending.filter { _ in false }
            state.unread = []
            state.isLoaded = true
            state.term = term
            state.needsBegin = true
            return true
        }
        if isSame { follow() }
    }

    /// Begins a term: the stored firings count, and alerts found before are stored if they fit.
    private func begin(_ term: Int64, _ feed: FeedKind) async throws(StoreFailure) {
        let owners = try await repository.owners(nil, feed: feed)
        state.withLock { state in
            guard state.feed == feed else { return }
            state.observer.replaceAll(by: owners)
            state.observer.replaceFirings(by: owners)
            state.unread = []
            var observer = state.observer
            state.pending.filter { observer.mayStore($0) }
            state.observer = observer
            state.term = term
            state.needsBegin = true
        }
        follow()
    }

    private func install(_ owners: [AlertOwner], _ feed: FeedKind) {
        state.withLock { state in
            guard state.feed == feed else { return }
            state.observer.set(owners)
            state.unread.subtract(owners.map(\.id))
        }
        follow()
    }

    /// Keeps followed what the rules need.
    private func follow() {
        let needs = state.withLock { state in
            AlertInterests.Needs(
                books: state.observer.books,
                trades: state.observer.repairedMarkets,
                periods: state.observer.periods,
                assets: state.observer.needsAssetStates
            )
        }
        interests.set(needs)
    }

    // MARK: The store

    private func storePending() async {
        var batchMax = Self.batchMax
        while true {
            let feed = state.withLock { $0.feed }
            guard let term = repository.term(of: feed) else { break }
            let (batch, end) = state.withLock { state in
                let isReady = state.isLoaded && state.term == term && state.feed == feed
                let batch = isReady ? state.pending.rows.prefix(batchMax).map(\.alert) : []
                return (batch, state.pending.first + batch.count)
            }
            if batch.isEmpty { return }
            do throws(StoreFailure) {
                try await repository.store(batch, feed: feed)
                state.withLock { $0.pending.remove(before: end) }
                note(nil, of: .store)
                tellStored(Array(Set(batch.map(\.alert.rule.owner))))
            } catch {
                note(error, of: .store)
                guard error.code == .refused else { break }
                // One refused alert does not keep the others.
                if batch.count == 1 { state.withLock { $0.pending.dropFirst() } }
                batchMax = 1
            }
        }
        await withdrawPending()
    }

    /// Takes back alerts that another process, which leads and has the data, did not store.
    private func withdrawPending() async {
        let now = stopwatch.elapsed
        func withdraw(knowing values: AlertBookState?) -> (isAny: Bool, isComplete: Bool) {
            state.withLock { state in
                guard repository.isLedByAnother(state.feed) else { return (false, true) }
                return state.withdraw(at: now, knowing: values)
            }
        }
        var result = withdraw(knowing: nil)
        if !result.isComplete, let values = await savedValues(at: now) {
            let later = withdraw(knowing: values)
            result.isAny = result.isAny || later.isAny
        }
        if result.isAny { follow() }
    }

    /// Reads the values that were saved last; nil if they were read just now, or cannot be read.
    private func savedValues(at now: Duration) async -> AlertBookState? {
        let feed = state.withLock { state -> FeedKind? in
            guard state.valuesReadAt.map({ now - $0 >= Self.retention }) ?? true else { return nil }
            state.valuesReadAt = now
            return state.feed
        }
        guard let feed else { return nil }
        // Other readings tell a failure, and this one is repeated.
        return try? await repository.values(of: feed)
    }

    private func saveValues() async {
        let values = state.withLock { state in
            state.isLoaded && state.term != nil && state.observer.book.count > 0
                ? state.observer.book.watchedValues : nil
        }
        guard let values, repository.term(of: values.feed) != nil else { return }
        do throws(StoreFailure) {
            try await repository.save(values)
            note(nil, of: .save)
        } catch {
            note(error, of: .save)
        }
    }

    /// Records the outcome of an operation, and tells a change of the first failure.
    private func note(_ failure: StoreFailure?, of operation: Operation) {
        let change = state.withLock { state -> StoreFailure?? in
            let before = state.firstFailure
            state.failures[operation] = failure
            return state.firstFailure == before ? nil : .some(state.firstFailure)
        }
        if let change, !Task.isCancelled { onFailure(change) }
    }
}
