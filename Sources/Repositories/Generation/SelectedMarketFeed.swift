import Concurrency
public import DataSourceContracts
public import Domain
import Synchronization

/// Follows the market list over the generations of the exchange's API that are in use.
///
/// The primary one has prices, trades and the connection's state; of API 1.x beside it only the
/// frames of the rolling periods count, which API 2.x does not have.
public final class SelectedMarketFeed: MarketFeedRepository {
    private let feeds: [APIGeneration: LiveMarketFeed]
    private let selector: GenerationSelector
    /// Local time, for the events of a change of generation.
    private let now: @Sendable () -> Timestamp
    private let activities: Mutex<[APIGeneration: GenerationActivity]>

    /// What is delivered of prices and trades.
    private struct Delivery {
        /// The primary generation, once readers have been told so; nil while they are told.
        ///
        /// While the feed runs, that of this generation alone is set to be primary.
        var source: APIGeneration?
        /// The trades that it and the one before have delivered.
        var trades = DeliveredTrades()
    }

    private let delivery = Mutex(Delivery())
    /// The number of batches on their way to readers.
    private let underWay = AsyncValue(0)

    /// Makes a feed that is not running yet.
    ///
    /// - Parameters:
    ///   - feeds: one for each generation of the selector; they share one ``FeedIdentity``.
    ///   - selector: tells which are in use; this feed runs it.
    ///   - now: the local wall clock.
    public init(
        _ feeds: [APIGeneration: LiveMarketFeed],
        selector: GenerationSelector,
        now: @escaping @Sendable () -> Timestamp
    ) {
        precondition(Set(feeds.keys) == selector.use.value.inUse, "Each generation has a feed.")
        self.feeds = feeds
        self.selector = selector
        self.now = now
        activities = Mutex(feeds.mapValues { GenerationActivity(kind: $0.identity.kind) })
    }

    /// The known facts about the source.
    public var identity: FeedIdentity { primary.identity }

    /// As ``LiveMarketFeed/exchangeClockLead``, of the primary generation.
    public var exchangeClockLead: Duration? { primary.exchangeClockLead }

    private var primary: LiveMarketFeed {
        guard let feed = feeds[selector.use.value.primary] else {
            preconditionFailure("Each generation in use has a feed.")
        }
        return feed
    }

    /// Follows until the task is cancelled; see ``MarketFeedRepository``.
    public func run(
        deliver: @escaping @Sendable (MarketEventBatch) async -> FeedStatus
    ) async {
        let first = selector.use.value.primary
        await report([.reads(first.api)], deliver)
        delivery.withLock { $0.source = first }
        await withTaskGroup { group in
            if feeds.count > 1 {
                group.addTask { await self.selector.run() }
                group.addTask { await self.reportUse(deliver) }
                group.addTask { await self.followPrimary(from: first, deliver) }
            }
            for (generation, feed) in feeds {
                group.addTask { await self.follow(generation, feed, deliver) }
            }
            await group.waitForAll()
        }
    }

    /// Tells which generations are in use, now and after each change.
    private func reportUse(_ deliver: LiveMarketFeed.Deliver) async {
        var told: Set<APIGeneration> = []
        var leftAt: [APIGeneration: Timestamp] = [:]
        while let use = await selector.use.first(where: { [told] in $0.inUse != told }) {
            told = use.inUse
            let apis = feeds.keys.sorted { $0.rawValue < $1.rawValue }.map { generation in
                if use.inUse.contains(generation) {
                    leftAt[generation] = nil
                    return ExchangeAPIUse(api: generation.api)
                }
                let failure = selector.failure(besides: generation.other)
                let at = leftAt[generation] ?? now()
                leftAt[generation] = at
                return ExchangeAPIUse(
                    api: generation.api,
                    leave: ExchangeAPIUse.Leave(failure: failure, at: at)
                )
            }
            await report([.uses(apis)], deliver)
        }
    }

    /// Reads everything again; see ``MarketFeedRepository``.
    public func reload() { feeds.values.forEach { $0.reload() } }

    /// Runs one feed while its generation is in use.
    private func follow(
        _ generation: APIGeneration,
        _ feed: LiveMarketFeed,
        _ deliver: @escaping LiveMarketFeed.Deliver
    ) async {
        while await selector.use.first(where: { $0.inUse.contains(generation) }) != nil {
            delivery.withLock { feed.setPrimary($0.source == generation) }
            await withTaskGroup { group in
                group.addTask {
                    await feed.run { await self.forward($0, from: generation, deliver) }
                }
                group.addTask {
                    _ = await self.selector.use.first { !$0.inUse.contains(generation) }
                }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Hands the delivery over when another generation becomes the primary one.
    private func followPrimary(
        from first: APIGeneration,
        _ deliver: LiveMarketFeed.Deliver
    ) async {
        var last = first
        while let use = await selector.use.first(where: { [last] in $0.primary != last }) {
            last = use.primary
            // Everything but rolling periods that arrives meanwhile is dropped; the loss covers it.
            delivery.withLock { delivery in
                delivery.source = nil
                delivery.trades.handOver()
                for feed in feeds.values { feed.setPrimary(false) }
            }
            // Batches of the other generation that are under way reach readers before the loss.
            guard await underWay.first(where: { $0 == 0 }) != nil else { return }
            // The other generation's connection does not count any more; this one's state follows.
            let failure = selector.failure(besides: last)
            let loss = FeedEvent.reconnecting(attempt: 1, nextRetryAt: now(), failure: failure)
            await report([loss, .reads(last.api)], deliver)
            delivery.withLock { delivery in
                delivery.source = last
                feeds[last]?.setPrimary(true)
            }
        }
    }

    private func report(_ events: [FeedEvent], _ deliver: LiveMarketFeed.Deliver) async {
        let events = events.map(MarketEvent.feed)
        _ = await deliver(MarketEventBatch(events: events, receivedAt: now()))
    }

    /// Delivers a batch of the primary generation, or what counts of the other one's.
    private func forward(
        _ batch: MarketEventBatch,
        from generation: APIGeneration,
        _ deliver: LiveMarketFeed.Deliver
    ) async -> FeedStatus {
        guard feeds.count > 1 else { return await deliver(batch) }
        let (own, isActive) = activities.withLock { activities in
            activities[generation]?.note(batch) ?? (FeedStatus(kind: .live), false)
        }
        if isActive { selector.noteData(of: generation) }
        // A batch may itself make its generation the primary one, which no reader knows yet.
        let taken = delivery.withLock { delivery -> MarketEventBatch? in
            guard delivery.source == generation else { return nil }
            underWay.update { $0 += 1 }
            return delivery.trades.take(batch)
        }
        if let taken {
            defer { underWay.update { $0 -= 1 } }
            return await deliver(taken)
        }
        let bases = batch.events.compactMap { event -> MarketEvent? in
            if case .ticker(let frame) = event, frame.period.window != nil { return .base(frame) }
            return nil
        }
        if !bases.isEmpty {
            _ = await deliver(MarketEventBatch(events: bases, receivedAt: batch.receivedAt))
        }
        return own
    }
}

/// Whether the busiest market of one generation is active.
struct GenerationActivity: Sendable {
    private var status: FeedStatus
    private var busiest = BusiestMarket()

    init(kind: FeedKind) { status = FeedStatus(kind: kind) }

    /// Stores a batch.
    ///
    /// - Returns: a status that tells the last activity, and whether the batch has some.
    mutating func note(_ batch: MarketEventBatch) -> (status: FeedStatus, isActive: Bool) {
        var isActive = false
        for event in batch.events where busiest.apply(event) != nil { isActive = true }
        if isActive { status.lastActivityAt = batch.receivedAt }
        return (status, isActive)
    }
}
