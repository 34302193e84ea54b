public import Domain
import Synchronization

/// A feed that delivers what the test puts in, one batch after the other.
public final class ScriptedFeed: MarketFeedRepository {
    private struct State {
        var statuses: [FeedStatus] = []
        var reloads = 0
    }

    private let inbox = Inbox<MarketEventBatch>()
    private let state = Mutex(State())

    /// Makes a feed with nothing to tell.
    public init() {}

    /// What the board answered to each batch.
    public var statuses: [FeedStatus] { state.withLock { $0.statuses } }
    /// How often everything was asked for anew.
    public var reloads: Int { state.withLock { $0.reloads } }

    /// Puts a batch in.
    public func put(_ batch: MarketEventBatch) { inbox.put(batch) }

    /// Puts one event in, as the only frame of its batch.
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

    /// Counts the wish.
    public func reload() { state.withLock { $0.reloads += 1 } }
}
