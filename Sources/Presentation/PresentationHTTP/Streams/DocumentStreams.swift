import Concurrency
import Domain
public import UseCases
public import ViewStates
import Synchronization

/// The streamed documents: each is compared with the newest snapshot once for all of its readers.
///
/// Readers pull chunks; nothing is queued for them. See ``StreamSubscription``.
public final class DocumentStreams: Sendable {
    /// How long a topic without readers is kept for reconnecting clients.
    public static let keptSeconds = 60
    /// Topics without readers, checked each second; those unread for longest are evicted.
    public static let keptMax = 256

    /// A topic and its leases.
    fileprivate struct Slot {
        let topic: StreamTopic
        var readerCount = 0
        /// When the last reader left, in seconds.
        var unreadSince = 0
        var detailLease: DetailLease?
        var assetLease: AssetLease?
    }

    fileprivate struct State {
        var topics: [StreamTopic.Key: Slot] = [:]
        var streamCount = 0
        var resetCount: UInt64 = 0
        /// Since the start.
        var seconds = 0
        var isStopping = false
    }

    private let documents: DocumentProducers
    private let interests: DetailInterests
    private let assetInterests: AssetInterests
    private let topicsMax: Int
    private let bounds: ChangeLog.Bounds
    private let clock: any Clock<Duration>
    private let random: @Sendable (ClosedRange<Int>) -> Int
    private let executor = BlockingExecutor(label: "hoga.streams")
    /// Signaled when documents may have changed; the newest snapshot is read then.
    private let isUpdateDue = AsyncEvent()
    private let state = Mutex(State())

    /// Makes the streams; documents advance only while ``run()`` runs.
    ///
    /// - Parameters:
    ///   - documents: produces the documents.
    ///   - latest: publishes the snapshots of the board; the same as the documents'.
    ///   - interests: leases the details of topics with readers.
    ///   - assetInterests: leases deposits and withdrawals likewise.
    ///   - topicsMax: streamed documents; beyond them one without readers is evicted, else the new
    ///     one is rejected.
    ///   - bounds: how old a cursor may be.
    ///   - clock: times bookmarks and evictions.
    ///   - random: a random number of a range.
    public init(
        documents: DocumentProducers,
        latest: SnapshotPublisher,
        interests: DetailInterests,
        assetInterests: AssetInterests,
        topicsMax: Int,
        bounds: ChangeLog.Bounds = .init(),
        clock: any Clock<Duration>,
        random: @escaping @Sendable (ClosedRange<Int>) -> Int
    ) {
        self.documents = documents
        self.interests = interests
        self.assetInterests = assetInterests
        self.topicsMax = topicsMax
        self.bounds = bounds
        self.clock = clock
        self.random = random
        latest.onChange { [isUpdateDue] in isUpdateDue.signal() }
    }

    /// Open streams, topics, and `reset` events so far.
    public var status: (streams: Int, topics: Int, resets: UInt64) {
        state.withLock { ($0.streamCount, $0.topics.count, $0.resetCount) }
    }

    /// Subscribes to a public document.
    ///
    /// - Parameters:
    ///   - query: a query that passed ``DocumentQuery/check(_:)``.
    ///   - lastEventID: the id of the last event that the reader has, to resume from.
    /// - Returns: the subscription, which its owner cancels.
    /// - Throws: ``StreamRejection``.
    public func subscribe(
        to query: DocumentQuery,
        resumingAfter lastEventID: String? = nil
    ) throws(StreamRejection) -> StreamSubscription {
        try subscribe(.shared(query), lastEventID) {
            StreamTopic(query, documents.follow(query), bounds: bounds)
        }
    }

    /// Subscribes to a user's document.
    ///
    /// - Throws: ``StreamRejection``.
    public func subscribe(
        to source: UserStreamSource,
        resumingAfter lastEventID: String? = nil
    ) throws(StreamRejection) -> StreamSubscription {
        guard source.query.includesMarketData else { throw .notStreamed }
        return try subscribe(source.key, lastEventID) {
            source.producers.follow(source.query).map { StreamTopic(source, $0, bounds: bounds) }
        }
    }

    /// Advances every document at every snapshot until the task is cancelled.
    ///
    /// The work has a thread of its own: neither the publisher nor the event loops wait for it.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while await isUpdateDue.wait() { await executor.run { self.advance() } }
            }
            group.addTask { [self] in
                while (try? await clock.sleep(for: .seconds(1))) != nil {
                    await executor.run { self.tick() }
                }
            }
            await group.waitForAll()
        }
    }

    /// Schedules an update after a change of a user's state.
    public func scheduleUpdate() { isUpdateDue.signal() }

    /// Ends every stream with `event: bye`; further ones are rejected.
    public func stop() {
        let topics = state.withLock { state in
            state.isStopping = true
            return state.topics.values.map(\.topic)
        }
        for topic in topics {
            for reader in topic.readers { reader.leave() }
        }
    }

    /// Advances every document that has readers.
    public func advance() {
        let topics = state.withLock { state in
            state.topics.values.lazy.filter { $0.readerCount > 0 }.map(\.topic)
        }
        for topic in topics { topic.advance() }
    }

    /// Called each second: evicts topics, keeps users loaded, sends bookmarks.
    func tick() {
        let (topics, evicted) = state.withLock { state in
            state.seconds += 1
            return (
                state.topics.values.filter { $0.readerCount > 0 }.map(\.topic),
                state.evictUnread()
            )
        }
        for topic in topics {
            topic.keepLoaded()
            for reader in topic.readers { reader.tick() }
        }
        // Deallocates the topics outside the lock.
        withExtendedLifetime(evicted) {}
    }

    func countReset() { state.withLock { $0.resetCount += 1 } }

    /// Removes a reader, and releases the leases after the last one.
    func remove(_ reader: StreamSubscription) {
        guard reader.topic.remove(reader) else { return }
        let leases = state.withLock { state -> (DetailLease?, AssetLease?) in
            state.streamCount -= 1
            guard var slot = state.topics[reader.topic.key] else { return (nil, nil) }
            slot.readerCount -= 1
            var leases: (DetailLease?, AssetLease?) = (nil, nil)
            if slot.readerCount == 0 {
                slot.unreadSince = state.seconds
                leases = (slot.detailLease, slot.assetLease)
                (slot.detailLease, slot.assetLease) = (nil, nil)
            }
            state.topics[reader.topic.key] = slot
            return leases
        }
        leases.0?.release()
        leases.1?.release()
    }

    private func subscribe(
        _ key: StreamTopic.Key,
        _ lastEventID: String?,
        _ make: () -> StreamTopic?
    ) throws(StreamRejection) -> StreamSubscription {
        let retry = random(1_000...5_000)
        let (reader, isFirst) = try state.withLock {
            state throws(StreamRejection) -> (StreamSubscription, Bool) in
            if state.isStopping { throw .stopping }
            var slot = try leasedSlot(for: key, &state, make)
            let reader = StreamSubscription(
                slot.topic,
                of: self,
                lastEventID: lastEventID,
                retryMilliseconds: retry
            )
            slot.readerCount += 1
            state.topics[key] = slot
            state.streamCount += 1
            slot.topic.add(reader)
            return (reader, slot.readerCount == 1)
        }
        // A topic without readers does not advance.
        if isFirst { reader.topic.advance() }
        return reader
    }

    /// The topic of a key with its leases; made if there is none.
    private func leasedSlot(
        for key: StreamTopic.Key,
        _ state: inout State,
        _ make: () -> StreamTopic?
    ) throws(StreamRejection) -> Slot {
        var slot: Slot
        if let existing = state.topics[key] {
            slot = existing
        } else {
            guard state.topics.count < topicsMax || state.evictOldestUnread() else {
                throw .tooManyTopics
            }
            guard let topic = make() else { throw .notStreamed }
            slot = Slot(topic: topic)
        }
        if slot.detailLease == nil, !slot.topic.interests.isEmpty {
            guard let lease = interests.enter(slot.topic.interests) else {
                throw .tooManyInterests
            }
            slot.detailLease = lease
        }
        if slot.assetLease == nil, slot.topic.includesTransfers {
            slot.assetLease = assetInterests.enter()
        }
        return slot
    }
}

extension DocumentStreams.State {
    /// Evicts topics without readers after a minute, and those beyond the bound.
    ///
    /// - Returns: the evicted topics.
    fileprivate mutating func evictUnread() -> [StreamTopic] {
        let unread = topics.filter { $0.value.readerCount == 0 }
            .sorted { $0.value.unreadSince > $1.value.unreadSince }
        var evicted: [StreamTopic] = []
        for (index, (key, slot)) in unread.enumerated()
        where index >= DocumentStreams.keptMax
            || seconds - slot.unreadSince >= DocumentStreams.keptSeconds
        {
            topics[key] = nil
            evicted.append(slot.topic)
        }
        return evicted
    }

    /// Evicts the topic unread for longest; false if all have readers.
    fileprivate mutating func evictOldestUnread() -> Bool {
        let oldest = topics.filter { $0.value.readerCount == 0 }
            .min { $0.value.unreadSince < $1.value.unreadSince }
        guard let oldest else { return false }
        topics[oldest.key] = nil
        return true
    }
}
