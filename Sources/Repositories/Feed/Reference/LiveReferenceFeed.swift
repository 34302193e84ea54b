import Concurrency
public import DataSourceContracts
public import Domain
public import UseCases

/// Follows reference data: names and warnings each hour, deposit and withdrawal states while there
/// is an interest in them.
///
/// None of it is urgent: the listings go first, and failures are retried with backoff while other
/// data flows. For a recording nothing is read or stored.
public final class LiveReferenceFeed: MarketReferenceFeedRepository {
    /// The dependencies of a feed.
    public struct Parts: Sendable {
        let markets: any MarketReferenceSource
        let assets: any AssetStatusSource
        let interests: AssetInterests
        let archive: (any ReferenceArchive)?
        let names: CoinNames
        let identity: FeedIdentity
        let clock: any Clock<Duration>
        let now: @Sendable () -> Timestamp
        let random: @Sendable () -> UInt64

        /// Makes the dependencies.
        ///
        /// - Parameters:
        ///   - markets: names and warnings over REST.
        ///   - assets: deposits and withdrawals over REST.
        ///   - interests: the interests in deposits and withdrawals; this feed listens to changes.
        ///   - archive: the stored reference data; nil without a store.
        ///   - names: the built-in names, for coins that the exchange does not name.
        ///   - identity: the kind of source, from ``LiveMarketFeed/identity``.
        ///   - clock: measures waits.
        ///   - now: the local wall clock, for receive times.
        ///   - random: uniformly random bits for backoff.
        public init(
            markets: any MarketReferenceSource,
            assets: any AssetStatusSource,
            interests: AssetInterests,
            archive: (any ReferenceArchive)?,
            names: CoinNames,
            identity: FeedIdentity,
            clock: any Clock<Duration>,
            now: @escaping @Sendable () -> Timestamp,
            random: @escaping @Sendable () -> UInt64
        ) {
            self.markets = markets
            self.assets = assets
            self.interests = interests
            self.archive = archive
            self.names = names
            self.identity = identity
            self.clock = clock
            self.now = now
            self.random = random
        }
    }

    typealias Deliver = @Sendable (ReferenceEventBatch) async -> Void

    let parts: Parts
    /// The number of requests to read at once.
    let reloads = AsyncValue(0)
    /// The number of changes that the two readers look at.
    let changes = AsyncValue(UInt64.zero)
    private let stopwatch: Stopwatch

    /// Makes a feed that is not running yet.
    public init(parts: Parts) {
        self.parts = parts
        stopwatch = Stopwatch(parts.clock)
        let changes = changes
        parts.interests.onChange { changes.update { $0 &+= 1 } }
    }

    /// Follows until the task is cancelled; see ``MarketReferenceFeedRepository``.
    public func run(deliver: @escaping @Sendable (ReferenceEventBatch) async -> Void) async {
        await withTaskGroup { group in
            group.addTask { await self.followIdentity() }
            group.addTask { await self.followNames(deliver) }
            group.addTask { await self.followAssets(deliver) }
            await group.waitForAll()
        }
    }

    /// Requests names and warnings now, and deposit and withdrawal states with the next interest.
    public func reload() {
        reloads.update { $0 += 1 }
        changes.update { $0 &+= 1 }
    }

    /// Monotonic time since this feed was made.
    var elapsed: Duration { stopwatch.elapsed }

    /// Delivers events and the count of unreadable entries in one batch.
    func report(
        _ events: [ReferenceEvent],
        skipped: Int = 0,
        receivedAt: Timestamp,
        _ deliver: Deliver
    ) async {
        var batch = events
        if skipped > 0 { batch.append(.skipped(skipped)) }
        guard !batch.isEmpty else { return }
        await deliver(ReferenceEventBatch(events: batch, receivedAt: receivedAt))
    }

    /// Waits for a change since `seen`, for at most `duration`.
    func wait(_ duration: Duration, changeSince seen: UInt64) async {
        _ = await changes.first(within: duration, clock: parts.clock) { $0 != seen }
    }

    /// Waits for a change since `seen`.
    func wait(changeSince seen: UInt64) async {
        _ = await changes.first { $0 != seen }
    }

    private func followIdentity() async {
        var known = parts.identity.state.value
        while true {
            let last = known
            guard let next = await parts.identity.state.first(where: { $0 != last }) else {
                return
            }
            known = next
            changes.update { $0 &+= 1 }
        }
    }
}

extension LiveReferenceFeed {
    /// How often names and warnings are read.
    static var namesInterval: Duration { .seconds(3_600) }

    /// Delivers stored data, waits for the first listings, then reads each hour.
    func followNames(_ deliver: @escaping Deliver) async {
        var kind = parts.identity.kind
        var known = await deliverStored(of: kind, deliver)
        var schedule = newNamesSchedule
        let identity = parts.identity.state
        _ = await identity.first { $0.isListingAttempted }
        while !Task.isCancelled {
            let seen = changes.value
            if identity.value.isCertain { parts.archive?.identify(identity.value.kind) }
            if identity.value.kind != kind {
                // Names of a simulated exchange are not those of the real one.
                kind = identity.value.kind
                schedule = newNamesSchedule
                known = await deliverStored(of: kind, deliver)
            }
            if kind == .replay {
                await self.wait(changeSince: seen)
                continue
            }
            let wait = schedule.wait(at: elapsed, requests: reloads.value)
            if wait > .zero {
                await self.wait(wait, changeSince: seen)
                continue
            }
            schedule.begin(serving: reloads.value)
            do throws(DataSourceError) {
                try await readNames(&known, deliver)
                schedule.succeeded(at: elapsed)
            } catch {
                if error.code == .cancelled { return }
                _ = schedule.failed(at: elapsed, random: parts.random(), pause: error.pause)
            }
        }
    }

    private var newNamesSchedule: RefreshSchedule {
        RefreshSchedule(interval: Self.namesInterval, serving: reloads.value)
    }

    /// Delivers the stored data of a kind of feed.
    ///
    /// - Returns: the stored warnings, which count until newer ones are read.
    private func deliverStored(
        of kind: FeedKind,
        _ deliver: Deliver
    ) async -> [MarketID: [MarketAlert]] {
        guard kind != .replay, let archive = parts.archive else { return [:] }
        var events: [ReferenceEvent] = []
        if let stored = await archive.closes() {
            events.append(.closes(stored.closes, of: stored.kind))
        }
        if let stored = await archive.names() {
            events.append(.names(stored.names.filled(from: parts.names)))
        }
        let marks = await archive.marks()
        if let marks { events.append(.marks(marks)) }
        await report(events, receivedAt: parts.now(), deliver)
        return marks?.alerts ?? [:]
    }

    /// Reads and delivers names and warnings.
    ///
    /// One response holds names and 유의, another 경보. If the second one fails, the known warnings
    /// stay, each to its own end.
    ///
    /// - Parameters:
    ///   - alerts: the known warnings; replaced by those that were read.
    ///   - deliver: receives the data.
    /// - Throws: the failure of the first response, else that of the second, after delivery.
    private func readNames(
        _ alerts: inout [MarketID: [MarketAlert]],
        _ deliver: Deliver
    ) async throws(DataSourceError) {
        let response = try await parts.markets.markets()
        let readAt = parts.now()
        let (names, unreadable) = MarketReferenceMapping.names(response)
        guard names.count > 0 else {
            throw DataSourceError(.malformed, "market/all: a response without a market")
        }
        let warned = MarketReferenceMapping.warned(response)
        parts.archive?.keep(names, readAt: readAt)
        await report(
            [.names(names.filled(from: parts.names))],
            skipped: unreadable,
            receivedAt: readAt,
            deliver
        )
        var skipped = 0
        var failure: DataSourceError?
        do throws(DataSourceError) {
            (alerts, skipped) = MarketReferenceMapping.alerts(try await parts.markets.alerts())
        } catch {
            if error.code == .cancelled { throw error }
            failure = error
        }
        let marks = MarketWarnings(warned: warned, alerts: alerts, readAt: parts.now())
        if failure == nil { parts.archive?.keep(marks) }
        await report([.marks(marks)], skipped: skipped, receivedAt: marks.readAt, deliver)
        if let failure { throw failure }
    }
}

extension LiveReferenceFeed {
    /// Reads deposit and withdrawal states while there is an interest: one request for all.
    func followAssets(_ deliver: @escaping Deliver) async {
        var kind = parts.identity.kind
        var schedule = newAssetsSchedule
        while !Task.isCancelled {
            let seen = changes.value
            if parts.identity.kind != kind {
                kind = parts.identity.kind
                schedule = newAssetsSchedule
            }
            guard kind != .replay, parts.interests.areStatesWanted else {
                await self.wait(changeSince: seen)
                continue
            }
            let wait = schedule.wait(at: elapsed, requests: reloads.value)
            if wait > .zero {
                await self.wait(wait, changeSince: seen)
                continue
            }
            schedule.begin(serving: reloads.value)
            do throws(DataSourceError) {
                try await readAssets(deliver)
                schedule.succeeded(at: elapsed)
            } catch {
                if error.code == .cancelled { return }
                let pause = error.pause
                let wait = schedule.failed(at: elapsed, random: parts.random(), pause: pause)
                let now = parts.now()
                let event = ReferenceEvent.assetStatesFailed(
                    FeedFailure(error),
                    nextRetryAt: now.advanced(by: wait)
                )
                // The last states of a source that is gone would be shown as open for ever.
                let isGone = GenerationStateMachine.Answer(error, of: .v1).isGone
                let events = isGone ? [.assetStatesGone, event] : [event]
                await report(events, receivedAt: now, deliver)
            }
        }
    }

    private var newAssetsSchedule: RefreshSchedule {
        RefreshSchedule(interval: AssetStates.readingInterval, serving: reloads.value)
    }

    private func readAssets(_ deliver: Deliver) async throws(DataSourceError) {
        let response = try await parts.assets.assetStatuses()
        let readAt = parts.now()
        let (states, skipped) = AssetStateMapping.states(response)
        guard !states.isEmpty else {
            throw DataSourceError(.malformed, "assetsstatus/ALL: a response without a coin")
        }
        let event = ReferenceEvent.assetStates(states, readAt: readAt)
        await report([event], skipped: skipped, receivedAt: readAt, deliver)
    }
}
