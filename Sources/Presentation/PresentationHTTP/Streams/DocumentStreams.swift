import Concurrency
public import Domain
public import UseCases
public import ViewStates
import Synchronization

/// The documents that are streamed: each is compared with the newest cut once, whoever reads it.
///
/// Readers take pieces when they like; nothing is queued for them. See ``StreamSubscription``.
public final class DocumentStreams: Sendable {
    /// How long a topic that nobody reads is kept for those who come back.
    public static let keptSeconds = 60
    /// How many such topics are kept, looked at each second; when there are more, those that were
    /// left longest ago are given up.
    public static let keptMax = 256

    /// A topic and who holds it.
    fileprivate struct Held {
        let topic: StreamTopic
        var readerCount = 0
        /// When the last reader left, in seconds.
        var leftAt = 0
        var detailLease: DetailLease?
        var assetLease: AssetLease?
    }

    fileprivate struct State {
        var topics: [StreamTopic.Key: Held] = [:]
        var streamCount = 0
        var resetCount: UInt64 = 0
        /// Seconds since the start.
        var seconds = 0
        var isLeaving = false
    }

    private let documents: DocumentProducers
    private let interests: DetailInterests
    private let assetInterests: AssetInterests
    private let topicsMax: Int
    private let bounds: ChangeLog.Bounds
    private let clock: any Clock<Duration>
    private let random: @Sendable (ClosedRange<Int>) -> Int
    private let executor = BlockingExecutor(label: "hoga.streams")
    private let news: AsyncStream<Void>
    private let newsInput: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    /// Makes the service of streams; documents go on only while ``run()`` does.
    ///
    /// - Parameters:
    ///   - documents: makes the documents.
    ///   - latest: where boards come from: the same as the documents'.
    ///   - interests: who looks at which details: a topic does while somebody reads it.
    ///   - assetInterests: who looks at deposits and withdrawals, likewise.
    ///   - topicsMax: how many different documents may be streamed; when full, one that nobody
    ///     reads gives way, else the next is refused.
    ///   - bounds: how far back readers may come from.
    ///   - clock: counts the seconds between bookmarks.
    ///   - random: any number of a range.
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
        // What is new is looked up: that something is need not be said twice.
        (news, newsInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        latest.onChange { [newsInput] in newsInput.yield() }
    }

    /// How many streams and topics there are, and how many readers had to be told everything anew.
    public var status: (streams: Int, topics: Int, resets: UInt64) {
        state.withLock { ($0.streamCount, $0.topics.count, $0.resetCount) }
    }

    /// Begins a stream of a document that everybody gets.
    ///
    /// - Parameters:
    ///   - query: the document, which there must be: ``DocumentQuery/check(_:)``.
    ///   - lastEventID: the id of the last event that the reader has, to go on from there.
    /// - Returns: the stream; whoever has it cancels it.
    /// - Throws: ``StreamRejection``.
    public func subscribe(
        to query: DocumentQuery,
        resumingAfter lastEventID: String? = nil
    ) throws(StreamRejection) -> StreamSubscription {
        try subscribe(.everybody(query), lastEventID) {
            StreamTopic(query, documents.follow(query), bounds: bounds)
        }
    }

    /// Begins a stream of a user's own document; as above.
    ///
    /// - Throws: ``StreamRejection``.
    public func subscribe(
        to query: UserStreamSource,
        resumingAfter lastEventID: String? = nil
    ) throws(StreamRejection) -> StreamSubscription {
        guard query.query.includesMarketData else { throw .notStreamed }
        return try subscribe(query.key, lastEventID) {
            query.cutters.follow(query.query).map { StreamTopic(query, $0, bounds: bounds) }
        }
    }

    /// Goes on with every document at every cut, until the caller is cancelled.
    ///
    /// The work is done on a thread of its own: neither the one that cuts nor those that serve
    /// wait for it.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                for await _ in news { await executor.run { self.advance() } }
            }
            group.addTask { [self] in
                while (try? await clock.sleep(for: .seconds(1))) != nil {
                    await executor.run { self.tick() }
                }
            }
            await group.waitForAll()
        }
    }

    /// Says that something is new besides the market: what is kept for a user has changed.
    public func scheduleUpdate() { newsInput.yield() }

    /// Says that the process is about to end: every stream ends with `event: bye`, and none begins.
    public func leave() {
        let topics = state.withLock { state in
            state.isLeaving = true
            return state.topics.values.map(\.topic)
        }
        for topic in topics {
            for reader in topic.readers { reader.leave() }
        }
    }

    /// Goes on with every document that somebody reads: what ``run()`` does at every cut.
    public func advance() {
        let topics = state.withLock { state in
            state.topics.values.lazy.filter { $0.readerCount > 0 }.map(\.topic)
        }
        for topic in topics { topic.advance() }
    }

    /// Lets a second go by.
    func tick() {
        let (topics, forgotten) = state.withLock { state in
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
        // Given up here, where nobody waits for the lock.
        withExtendedLifetime(forgotten) {}
    }

    func countReset() { state.withLock { $0.resetCount += 1 } }

    /// Gives a reader up.
    func forget(_ reader: StreamSubscription) {
        guard reader.topic.remove(reader) else { return }
        let leases = state.withLock { state -> (DetailLease?, AssetLease?) in
            state.streamCount -= 1
            guard var held = state.topics[reader.topic.key] else { return (nil, nil) }
            held.readerCount -= 1
            var leases: (DetailLease?, AssetLease?) = (nil, nil)
            if held.readerCount == 0 {
                held.leftAt = state.seconds
                leases = (held.detailLease, held.assetLease)
                (held.detailLease, held.assetLease) = (nil, nil)
            }
            state.topics[reader.topic.key] = held
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
            if state.isLeaving { throw .leaving }
            var held = try hold(key, &state, make)
            let reader = StreamSubscription(
                held.topic,
                of: self,
                lastEventID: lastEventID,
                retryMilliseconds: retry
            )
            held.readerCount += 1
            state.topics[key] = held
            state.streamCount += 1
            held.topic.add(reader)
            return (reader, held.readerCount == 1)
        }
        // While nobody read it, the document stood still.
        if isFirst { reader.topic.advance() }
        return reader
    }

    /// The topic of that key, followed; made if there is none.
    private func hold(
        _ key: StreamTopic.Key,
        _ state: inout State,
        _ make: () -> StreamTopic?
    ) throws(StreamRejection) -> Held {
        var held: Held
        if let standing = state.topics[key] {
            held = standing
        } else {
            guard state.topics.count < topicsMax || state.evictOldestUnread() else {
                throw .tooManyTopics
            }
            guard let topic = make() else { throw .notStreamed }
            held = Held(topic: topic)
        }
        if held.detailLease == nil, !held.topic.interests.isEmpty {
            guard let lease = interests.enter(held.topic.interests) else {
                throw .tooManyInterests
            }
            held.detailLease = lease
        }
        if held.assetLease == nil, held.topic.includesTransfers {
            held.assetLease = assetInterests.enter()
        }
        return held
    }
}

extension DocumentStreams.State {
    /// Gives up topics that were left a minute ago, and those beyond the bound.
    ///
    /// - Returns: what was given up.
    fileprivate mutating func evictUnread() -> [StreamTopic] {
        let left = topics.filter { $0.value.readerCount == 0 }
            .sorted { $0.value.leftAt > $1.value.leftAt }
        var forgotten: [StreamTopic] = []
        for (place, (key, held)) in left.enumerated()
        where place >= DocumentStreams.keptMax
            || seconds - held.leftAt >= DocumentStreams.keptSeconds
        {
            topics[key] = nil
            forgotten.append(held.topic)
        }
        return forgotten
    }

    /// Makes room for a topic.
    ///
    /// - Returns: whether there was one that nobody reads.
    fileprivate mutating func evictOldestUnread() -> Bool {
        let oldest = topics.filter { $0.value.readerCount == 0 }
            .min { $0.value.leftAt < $1.value.leftAt }
        guard let oldest else { return false }
        topics[oldest.key] = nil
        return true
    }
}
