import Domain
import ViewStates
import Synchronization

/// A streamed document, for all of its readers.
final class StreamTopic: Sendable {
    /// Identifies a topic.
    enum Key: Sendable, Hashable {
        case shared(DocumentQuery)
        case user(UserID, UserDocumentQuery, ObjectIdentifier)
    }

    /// The next step of a reader at a cursor.
    enum Step: Sendable {
        case nothing
        case event([UInt8], DocumentRevision)
        /// The whole document, which restarted.
        case reset([UInt8], DocumentRevision)
        /// The cursor is too old.
        case lost
    }

    /// The newest revision, and how readers reach it.
    fileprivate struct Newest {
        var log: ChangeLog
        /// The log's revision; it keeps the patches that lead to it.
        var document: EncodedDocument
        /// Whether several readers receive the document.
        var isShared = false
    }

    private struct State {
        var newest: Newest?
        var readers: [ObjectIdentifier: StreamSubscription] = [:]
    }

    let key: Key
    /// The details to follow while the topic has readers.
    let interests: Set<DetailInterest>
    /// Whether deposits and withdrawals must be read meanwhile.
    let includesTransfers: Bool
    let keepLoaded: @Sendable () -> Void
    private let pinned: PinnedDocument
    /// Retained because its identity is part of the key.
    private let producers: UserDocumentProducers?
    private let bounds: ChangeLog.Bounds
    private let state = Mutex(State())

    init(_ query: DocumentQuery, _ pinned: PinnedDocument, bounds: ChangeLog.Bounds) {
        key = .shared(query)
        interests = query.interests
        includesTransfers = query.includesTransfers
        keepLoaded = {}
        producers = nil
        self.pinned = pinned
        self.bounds = bounds
    }

    init(_ source: UserStreamSource, _ pinned: PinnedDocument, bounds: ChangeLog.Bounds) {
        key = source.key
        interests = source.query.interests
        includesTransfers = source.query.includesTransfers
        keepLoaded = source.keepLoaded
        producers = source.producers
        self.pinned = pinned
        self.bounds = bounds
    }

    /// Reads the newest revision, and wakes the readers if it is new.
    func advance() {
        let (version, document) = pinned.current()
        let readers = state.withLock { state -> [StreamSubscription] in
            if state.newest == nil {
                state.newest = Newest(
                    log: ChangeLog(version, bounds: bounds),
                    document: document
                )
            } else if state.newest?.log.take(version) == true {
                state.newest?.document = document
            } else {
                return []
            }
            return Array(state.readers.values)
        }
        for reader in readers { reader.wake() }
    }

    func add(_ reader: StreamSubscription) {
        state.withLock { $0.readers[ObjectIdentifier(reader)] = reader }
    }

    /// Removes a reader; false if it was removed before.
    func remove(_ reader: StreamSubscription) -> Bool {
        state.withLock { $0.readers.removeValue(forKey: ObjectIdentifier(reader)) != nil }
    }

    var readers: [StreamSubscription] { state.withLock { Array($0.readers.values) } }

    /// The first event of a reader.
    ///
    /// - Parameter lastEventID: the id of the last event that the reader has; nil for a new reader.
    /// - Returns: the event, empty if the reader is up to date, and the reader's cursor.
    func first(
        after lastEventID: String?
    ) -> (event: [UInt8], cursor: DocumentRevision, isReset: Bool) {
        withNewest { newest in
            guard let lastEventID else {
                return (newest.event("snapshot"), newest.log.revision, false)
            }
            if let cursor = newest.log.cursor(lastEventID) {
                switch newest.step(from: cursor) {
                case .nothing: return ([], cursor, false)
                case .event(let event, let revision): return (event, revision, false)
                case .reset, .lost: break
                }
            }
            return (newest.event("reset"), newest.log.revision, true)
        }
    }

    /// The next event of a reader.
    func next(from cursor: DocumentRevision) -> Step { withNewest { $0.step(from: cursor) } }

    private func withNewest<Result>(_ body: (Newest) -> Result) -> Result {
        state.withLock { state in
            // Taken out, because each of many readers would copy the log.
            var newest = state.newest.take() ?? first()
            defer { state.newest = newest }
            newest.isShared = state.readers.count > 1
            return body(newest)
        }
    }

    private func first() -> Newest {
        let (version, document) = pinned.current()
        return Newest(log: ChangeLog(version, bounds: bounds), document: document)
    }
}

extension StreamTopic.Newest {
    /// The whole document as an event; its bytes are kept only if other readers need them.
    fileprivate func event(_ name: String) -> [UInt8] {
        let json =
            isShared ? document.json : document.cached(.identity) ?? log.document
        return EventFrame.event(name, id: document.revision, data: json)
    }

    fileprivate func step(from cursor: DocumentRevision) -> StreamTopic.Step {
        if let event = document.cached(.patch(from: cursor)) { return .event(event, log.revision) }
        switch log.way(from: cursor) {
        case .here: return .nothing
        case .restarted: return .reset(event("reset"), log.revision)
        case .unknown: return .lost
        case .patch(let patch):
            let event = document.bytes(.patch(from: cursor)) {
                EventFrame.event("patch", id: document.revision, data: patch)
            }
            return .event(event, log.revision)
        }
    }
}

extension UserStreamSource {
    /// The key of the source's topic.
    var key: StreamTopic.Key { .user(user, query, ObjectIdentifier(producers)) }
}
