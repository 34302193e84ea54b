public import Domain
import Synchronization

/// A feed that delivers the test's batches in order.
public final class ScriptedFeed: MarketFeedRepository {
    private struct State {
        var statuses: [FeedStatus] = []
        var reloads = 0
    }

    private let inbox = Inbox<MarketEventBatch>()
    private let state = Mutex(State())

    /// Creates a feed without batches.
    public init() {}

    /// The board's answer to each batch.
    public var statuses: [FeedStatus] { state.withLock { $0.statuses } }
    /// The number of reloads.
    public var reloads: Int { state.withLock { $0.reloads } }

    /// Adds a batch.
    public func put(_ batch: MarketEventBatch) { inbox.put(batch) }

    /// Adds one event as the only frame of its batch.
    public func put(_ event: MarketEvent, at receivedAt: Timestamp) {
        put(MarketEventBatch(events: [event], receivedAt: receivedAt, frameCount: 1))
    }

    /// Delivers until the task is cancelled.
    public func run(
        deliver: @escaping @Sendable (MarketEventBatch) async -> FeedStatus
    ) async {
        while let batch = await inbox.next() {
            let status = await deliver(batch)
            state.withLock { $0.statuses.append(status) }
        }
    }

    /// Counts the reload.
    public func reload() { state.withLock { $0.reloads += 1 } }
}
