import Concurrency
import Domain
public import UseCases
public import ViewStates
import Synchronization

/// The streamed documents: each is compared with the newest snapshot once for all of its readers.
///
/// Passes make all documents and events, for readers that wait for them. A reader that has not
/// taken its last event costs nothing. See ``StreamSubscription``, ``StreamPass`` and
/// ``StreamSchedule``.
public final class DocumentStreams: Sendable {
    /// The bounds of the streams.
    public struct Bounds: Sendable {
        /// Streamed documents.
        public var topicsMax: Int
        /// Estimated bytes of the topics, shared out among clients and users.
        public var bytesMax: Int
        /// Threads that make events.
        public var threadsMax: Int

        /// Makes bounds.
        public init(topicsMax: Int, bytesMax: Int = 256 << 20, threadsMax: Int = 1) {
            self.topicsMax = topicsMax
            self.bytesMax = bytesMax
            self.threadsMax = threadsMax
        }
    }

    struct State {
        var topics = TopicTable()
        /// Topics with a reader that waits for an event, beside those of the next full pass.
        var due: Set<StreamTopic.Key> = []
        var streamCount = 0
        var resetCount: UInt64 = 0
        var isStopping = false
    }

    /// Held while a pass runs.
    private struct Passes {
        var schedule = StreamSchedule<StreamTopic, StreamQuota.Owner>(
            budget: StreamPass.budget
        )
        /// The update of the last full pass.
        var update: UInt64?
        /// The topics that found no time in the last pass.
        var missed: [TopicTable.Candidate] = []
    }

    private let documents: DocumentProducers
    private let interests: DetailInterests
    private let assetInterests: AssetInterests
    private let bounds: Bounds
    private let clock: any Clock<Duration>
    private let random: @Sendable (ClosedRange<Int>) -> Int
    private let executor = BlockingExecutor(label: "hoga.streams")
    /// Signaled when documents may have changed, or a reader waits for an event.
    private let isPassDue = AsyncEvent()
    /// Counts the changes of documents.
    private let updates = Atomic<UInt64>(0)
    /// One for each thread of a pass.
    private let compressors: [EventCompressor]
    private let passes = Mutex(Passes())
    private let state = Mutex(State())
    /// Topics without readers, which the next pass deallocates: that takes locks of the cache.
    private let removed = Mutex<[StreamTopic]>([])

    /// Makes the streams; documents advance only while ``run()`` runs.
    ///
    /// - Parameters:
    ///   - documents: produces the documents.
    ///   - latest: publishes the snapshots of the board; the same as the documents'.
    ///   - interests: leases the details of topics with readers.
    ///   - assetInterests: leases deposits and withdrawals likewise.
    ///   - bounds: the bounds of topics.
    ///   - clock: times bookmarks and passes.
    ///   - random: a random number of a range.
    public init(
        documents: DocumentProducers,
        latest: SnapshotPublisher,
        interests: DetailInterests,
        assetInterests: AssetInterests,
        bounds: Bounds,
        clock: any Clock<Duration>,
        random: @escaping @Sendable (ClosedRange<Int>) -> Int
    ) {
        self.documents = documents
        self.interests = interests
        self.assetInterests = assetInterests
        self.bounds = bounds
        compressors = (0..<max(1, bounds.threadsMax)).map { _ in EventCompressor() }
        self.clock = clock
        self.random = random
        latest.onChange { [weak self] in self?.scheduleUpdate() }
    }

    /// Open streams, topics and their estimated bytes, and `reset` events so far.
    public var status: (streams: Int, topics: Int, bytes: Int, resets: UInt64) {
        state.withLock { ($0.streamCount, $0.topics.count, $0.topics.byteCount, $0.resetCount) }
    }

    /// The bound of the bytes of topics.
    public var bytesMax: Int { bounds.bytesMax }

    /// Advances every document at every snapshot until the task is cancelled.
    ///
    /// The work has threads of its own: neither the publisher nor the event loops wait for it.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while await isPassDue.wait() { await executor.run { self.advance() } }
            }
            group.addTask { [self] in
                while (try? await clock.sleep(for: .seconds(1))) != nil {
                    await executor.run { self.tick() }
                }
            }
            await group.waitForAll()
        }
    }

    /// Schedules a pass over all topics, after a snapshot or a change of a user's state.
    public func scheduleUpdate() {
        updates.add(1, ordering: .acquiringAndReleasing)
        isPassDue.signal()
    }

    /// Ends every stream with `event: bye`; further ones are rejected.
    public func stop() {
        state.withLock { $0.isStopping = true }
        for reader in readers { reader.leave() }
    }

    /// The readers of all topics; each keeps these streams until it is cancelled.
    var readers: [StreamSubscription] {
        state.withLock { $0.topics.all }.flatMap { $0.topic.readers }
    }

    // MARK: - Serving

    /// Serves the readers that wait, within the budget of one pass.
    public func advance() {
        let update = updates.load(ordering: .acquiring)
        passes.withLock { passes in
            forgetRemoved(&passes)
            let isFull = passes.update != update
            passes.update = update
            let candidates = state.withLock { state in
                defer { state.due.removeAll(keepingCapacity: true) }
                return isFull
                    ? state.topics.all : passes.missed + state.topics.all(among: state.due)
            }
            let pass = StreamPass(update: update, compressors: compressors, Stopwatch(clock))
            let (served, missed) = pass.serve(passes.schedule.order(candidates))
            for topic in served {
                passes.schedule.served(topic.candidate, in: topic.cost)
                note(topic.candidate.topic, topic.service.resets)
            }
            for candidate in missed { passes.schedule.missed(candidate.topic) }
            passes.missed = missed + served.filter { !$0.service.isComplete }.map(\.candidate)
            // The next pass begins at once, in a new order and with a newer snapshot, if any.
            if !passes.missed.isEmpty { isPassDue.signal() }
        }
    }

    /// Counts what a topic's readers got, and its new size.
    private func note(_ topic: StreamTopic, _ resets: Int) {
        let byteCount = topic.takeNewSize()
        guard resets > 0 || byteCount != nil else { return }
        let isOverBounds = state.withLock { state in
            state.resetCount += UInt64(resets)
            guard let byteCount else { return false }
            state.topics.setSize(byteCount, of: topic.key)
            return state.topics.exceeds(bytesMax: bounds.bytesMax, at: topic.key)
        }
        // The documents have grown since the streams began.
        if isOverBounds { for reader in topic.readers { reader.leave() } }
    }

    /// Has a reader served soon, if it may be behind; called when a reader begins to wait.
    func requestEvent(
        for reader: StreamSubscription,
        at position: StreamSubscription.Position
    ) {
        let update = updates.load(ordering: .acquiring)
        guard reader.topic.hasEvent(at: position, update: update) else { return }
        state.withLock { _ = $0.due.insert(reader.topic.key) }
        isPassDue.signal()
    }

    /// Called each second: keeps users loaded, sends bookmarks.
    package func tick() {
        for topic in state.withLock({ $0.topics.all }).map(\.topic) {
            topic.keepLoaded()
            for reader in topic.readers { reader.tick() }
        }
    }

    // MARK: - Readers

    /// Subscribes to a public document.
    ///
    /// - Parameters:
    ///   - query: a query that passed ``DocumentQuery/check(_:)``.
    ///   - reader: the reader.
    ///   - lastEventID: the id of the last event that the reader has, to resume from.
    /// - Returns: the subscription, which its owner cancels.
    /// - Throws: ``StreamRejection``.
    func subscribe(
        to query: DocumentQuery,
        for reader: StreamReader,
        resumingAfter lastEventID: String? = nil
    ) throws(StreamRejection) -> StreamSubscription {
        try subscribe(.shared(query), reader, lastEventID) {
            StreamTopic(query, documents.follow(query))
        }
    }

    /// Subscribes to a user's document.
    ///
    /// - Throws: ``StreamRejection``.
    func subscribe(
        to source: UserStreamSource,
        for reader: StreamReader,
        resumingAfter lastEventID: String? = nil
    ) throws(StreamRejection) -> StreamSubscription {
        guard source.query.isStreamed else { throw .notStreamed }
        return try subscribe(source.key, reader, lastEventID) {
            source.producers.follow(source.query).map { StreamTopic(source, $0) }
        }
    }

    /// Subscribes a program of this process to a public document.
    ///
    /// - Throws: ``StreamRejection``.
    public func subscribe(
        to query: DocumentQuery,
        resumingAfter lastEventID: String? = nil
    ) throws(StreamRejection) -> StreamSubscription {
        try subscribe(to: query, for: .local, resumingAfter: lastEventID)
    }

    /// Removes a reader, and the topic after the last one.
    ///
    /// The cache keeps the document and its log, as long as its budget has room, for readers that
    /// resume.
    func remove(_ reader: StreamSubscription) {
        let topic = reader.topic
        guard topic.remove(reader) else { return }
        let leases = state.withLock { state in
            state.streamCount -= 1
            return state.topics.removeReader(reader.owner, of: topic.key)
        }
        guard let leases else { return }
        leases.release()
        forget(topic)
    }

    /// Leaves a removed topic to the next pass, which alone knows its cost.
    private func forget(_ topic: StreamTopic) {
        removed.withLock { $0.append(topic) }
        isPassDue.signal()
    }

    private func forgetRemoved(_ passes: inout Passes) {
        let topics = removed.withLock { removed in
            defer { removed.removeAll() }
            return removed
        }
        for topic in topics {
            passes.schedule.remove(topic)
            passes.missed.removeAll { $0.topic === topic }
        }
    }

    /// The number of topics in the schedule of the passes.
    var scheduledCount: Int { passes.withLock { $0.schedule.count } }

    private func subscribe(
        _ key: StreamTopic.Key,
        _ reader: StreamReader,
        _ lastEventID: String?,
        _ make: () -> StreamTopic?
    ) throws(StreamRejection) -> StreamSubscription {
        let retry = random(1_000...5_000)
        return try state.withLock { state throws(StreamRejection) in
            if state.isStopping { throw .stopping }
            var slot = try slot(for: key, reader.owner, &state, make)
            try lease(&slot)
            let subscription = StreamSubscription(
                slot.topic,
                of: self,
                for: reader,
                lastEventID: lastEventID,
                retryMilliseconds: retry
            )
            state.topics.addReader(reader.owner, to: slot)
            state.streamCount += 1
            slot.topic.add(subscription)
            return subscription
        }
    }

    /// The slot of a key, made if there is none and the bounds allow one.
    private func slot(
        for key: StreamTopic.Key,
        _ owner: StreamQuota.Owner,
        _ state: inout State,
        _ make: () -> StreamTopic?
    ) throws(StreamRejection) -> TopicTable.Slot {
        if let slot = state.topics[key] { return slot }
        guard state.topics.count < bounds.topicsMax else { throw .tooManyTopics }
        guard let topic = make() else { throw .notStreamed }
        let slot = TopicTable.Slot(topic: topic, owner: owner)
        guard state.topics.fits(slot, bytesMax: bounds.bytesMax) else {
            forget(topic)
            throw .tooManyBytes
        }
        return slot
    }

    private func lease(_ slot: inout TopicTable.Slot) throws(StreamRejection) {
        if slot.leases.detail == nil, !slot.topic.interests.isEmpty {
            guard let lease = interests.enter(slot.topic.interests) else {
                // Deallocated outside the lock.
                forget(slot.topic)
                throw .tooManyInterests
            }
            slot.leases.detail = lease
        }
        if slot.leases.asset == nil, slot.topic.includesTransfers {
            slot.leases.asset = assetInterests.enter()
        }
    }
}
