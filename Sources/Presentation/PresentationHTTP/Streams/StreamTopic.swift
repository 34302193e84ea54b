import Compression
import Domain
import SharedMemory
import ViewStates
import Synchronization

/// A streamed document, for all of its readers.
final class StreamTopic: Sendable {
    /// Identifies a topic.
    enum Key: Sendable, Hashable {
        case shared(DocumentQuery)
        case user(UserID, UserDocumentQuery, ObjectIdentifier)
    }

    /// How a reader goes on from a position.
    fileprivate enum Step: Sendable {
        /// The reader has this revision, the newest.
        case upToDate(DocumentRevision)
        case event(StreamEvent, DocumentRevision)
        /// The whole document, in place of a patch.
        case reset(StreamEvent, DocumentRevision)
        /// The cursor is too old.
        case lost
    }

    /// The newest revision, and how readers reach it; the document cache keeps both.
    fileprivate struct Newest {
        let log: ChangeLog
        /// The log's revision.
        let document: EncodedDocument
    }

    let key: Key
    /// The details to follow while the topic has readers.
    let interests: Set<DetailInterest>
    /// Whether deposits and withdrawals must be read meanwhile.
    let includesTransfers: Bool
    let keepLoaded: @Sendable () -> Void
    let pinned: PinnedDocument
    /// The bytes that its parameters suggest, before the document is made.
    let expectedBytes: Int
    /// Retained because its identity is part of the key.
    private let producers: UserDocumentProducers?
    private let listeners = Mutex<[ObjectIdentifier: StreamSubscription]>([:])
    /// The counter of the newest revision, and the update that it was compared with.
    private let counter = Atomic<UInt64>(0)
    private let comparedWith = Atomic<UInt64>(0)
    /// The size that ``takeNewSize()`` returned last.
    private let takenSize = Atomic<Int>(0)

    init(_ query: DocumentQuery, _ pinned: PinnedDocument) {
        key = .shared(query)
        interests = query.interests
        includesTransfers = query.includesTransfers
        keepLoaded = {}
        producers = nil
        expectedBytes = RequestCost.streamedBytes(query)
        self.pinned = pinned
    }

    init(_ source: UserStreamSource, _ pinned: PinnedDocument) {
        key = source.key
        interests = source.query.interests
        includesTransfers = source.query.includesTransfers
        keepLoaded = source.keepLoaded
        producers = source.producers
        expectedBytes = RequestCost.streamedBytes(source.query)
        self.pinned = pinned
    }

    func add(_ reader: StreamSubscription) {
        listeners.withLock { $0[ObjectIdentifier(reader)] = reader }
    }

    /// Removes a reader; false if it was removed before.
    func remove(_ reader: StreamSubscription) -> Bool {
        listeners.withLock { $0.removeValue(forKey: ObjectIdentifier(reader)) != nil }
    }

    var readers: [StreamSubscription] { listeners.withLock { Array($0.values) } }

    /// Whether a reader that waits may be behind.
    ///
    /// - Parameters:
    ///   - position: what the reader has.
    ///   - update: the newest update of the streams.
    /// - Returns: false if the reader has the newest revision.
    func hasEvent(at position: StreamSubscription.Position, update: UInt64) -> Bool {
        switch position {
        case .beginning: true
        case .following(let cursor):
            counter.load(ordering: .acquiring) != cursor.counter
                || comparedWith.load(ordering: .acquiring) < update
        }
    }

    /// The result of a pass for the readers that waited.
    struct Service: Sendable {
        /// How many got the whole document in place of a patch.
        var resets = 0
        /// Whether all of them were served.
        var isComplete = true
        /// The callbacks of readers that have an event now.
        var wakes: [@Sendable () -> Void] = []
    }

    /// The events of different positions that a pass makes for a topic, however long they take.
    private static let eventsMin = 2

    /// Serves the readers that wait; the document is read only if there are any.
    ///
    /// Readers of one position share an event. Newer positions are first, whose patches are
    /// shorter: readers that come from many old revisions do not delay those that follow.
    ///
    /// - Parameters:
    ///   - update: the newest update of the streams.
    ///   - compressor: compresses events for readers that accept gzip.
    ///   - isOver: whether the pass has no time left.
    /// - Returns: nil if none waits.
    func serve(
        update: UInt64,
        _ compressor: EventCompressor,
        isOver: () -> Bool
    ) -> Service? {
        var waiting: [StreamSubscription.Position: [StreamSubscription]] = [:]
        for reader in readers {
            if let position = reader.waitingPosition {
                waiting[position, default: []].append(reader)
            }
        }
        guard !waiting.isEmpty else { return nil }
        let (log, document) = pinned.current()
        let newest = Newest(log: log, document: document)
        counter.store(log.revision.counter, ordering: .releasing)
        comparedWith.store(update, ordering: .releasing)
        var service = Service()
        var eventCount = 0
        let places = waiting.map {
            (start: $0.key.start(in: log), position: $0.key, readers: $0.value)
        }
        for (_, position, readers) in places.sorted(by: { $0.start > $1.start }) {
            guard eventCount < Self.eventsMin || !isOver() else {
                service.isComplete = false
                break
            }
            let isGzip = readers.contains(where: \.isGzip)
            let step = newest.step(from: position) { bytes in
                eventCount += 1
                return StreamEvent(
                    bytes: bytes,
                    deflated: isGzip ? compressor.compress(bytes) : nil
                )
            }
            service.wakes += step.deliver(to: readers)
            if case .reset = step { service.resets += readers.count }
        }
        return service
    }

    /// The document's estimated bytes, if they differ by an eighth from those taken last.
    func takeNewSize() -> Int? {
        let (size, taken) = (pinned.byteCount, takenSize.load(ordering: .relaxed))
        guard abs(size - taken) > taken / 8 else { return nil }
        takenSize.store(size, ordering: .relaxed)
        return size
    }
}

extension StreamTopic.Step {
    /// Delivers the step; returns the callbacks of readers that have an event now.
    fileprivate func deliver(to readers: [StreamSubscription]) -> [@Sendable () -> Void] {
        switch self {
        case .upToDate(let revision):
            return readers.compactMap { $0.deliver(nil, at: revision) }
        case .event(let event, let revision), .reset(let event, let revision):
            return readers.compactMap { $0.deliver(event, at: revision) }
        case .lost:
            for reader in readers { reader.leave() }
            return []
        }
    }
}

extension StreamSubscription.Position {
    /// The counter of the revision that a patch starts from; 0 if it takes the whole document.
    fileprivate func start(in log: ChangeLog) -> UInt64 {
        switch self {
        case .following(let cursor): cursor.counter
        case .beginning(let lastEventID): lastEventID.flatMap(log.cursor)?.counter ?? 0
        }
    }
}

extension StreamTopic.Newest {
    fileprivate func step(
        from position: StreamSubscription.Position,
        _ event: ([UInt8]) -> StreamEvent
    ) -> StreamTopic.Step {
        switch position {
        case .beginning(nil): return .event(event(whole("snapshot")), log.revision)
        case .beginning(let lastEventID?):
            guard let cursor = log.cursor(lastEventID) else {
                return .reset(event(whole("reset")), log.revision)
            }
            let step = step(from: .following(cursor), event)
            guard case .lost = step else { return step }
            return .reset(event(whole("reset")), log.revision)
        case .following(let cursor):
            switch log.way(from: cursor) {
            case .here: return .upToDate(cursor)
            case .restarted: return .reset(event(whole("reset")), log.revision)
            case .unknown: return .lost
            case .patch(let patch):
                let bytes = EventFrame.event("patch", id: document.revision, data: patch)
                return .event(event(bytes), log.revision)
            }
        }
    }

    /// The whole document as an event.
    private func whole(_ name: String) -> [UInt8] {
        let json = document.cached(.identity)?.bytes ?? log.document
        return EventFrame.event(name, id: document.revision, data: json)
    }
}

extension UserStreamSource {
    /// The key of the source's topic.
    var key: StreamTopic.Key { .user(user, query, ObjectIdentifier(producers)) }
}
