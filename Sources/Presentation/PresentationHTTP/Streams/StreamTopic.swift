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

    private struct State {
        var log: ChangeLog?
        /// The log's current revision; it keeps the patches that lead to it.
        var document: EncodedDocument?
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
            if state.log == nil {
                state.log = ChangeLog(version, bounds: bounds)
            } else if state.log?.take(version) == false {
                return []
            }
            state.document = document
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
        state.withLock { state in
            let (log, document) = current(&state)
            guard let lastEventID else {
                return (Self.event("snapshot", document), log.revision, false)
            }
            if let cursor = log.cursor(lastEventID) {
                switch Self.step(from: cursor, log, document) {
                case .nothing: return ([], cursor, false)
                case .event(let event, let revision): return (event, revision, false)
                case .reset, .lost: break
                }
            }
            return (Self.event("reset", document), log.revision, true)
        }
    }

    /// The next event of a reader.
    func next(from cursor: DocumentRevision) -> Step {
        state.withLock { state in
            let (log, document) = current(&state)
            return Self.step(from: cursor, log, document)
        }
    }

    private func current(_ state: inout State) -> (ChangeLog, EncodedDocument) {
        if let log = state.log, let document = state.document { return (log, document) }
        let (version, document) = pinned.current()
        let log = ChangeLog(version, bounds: bounds)
        (state.log, state.document) = (log, document)
        return (log, document)
    }

    private static func event(_ name: String, _ document: EncodedDocument) -> [UInt8] {
        EventFrame.event(name, id: document.revision, data: document.json)
    }

    private static func step(
        from cursor: DocumentRevision,
        _ log: ChangeLog,
        _ document: EncodedDocument
    ) -> Step {
        if let event = document.cached(.patch(from: cursor)) { return .event(event, log.revision) }
        switch log.way(from: cursor) {
        case .here: return .nothing
        case .restarted: return .reset(event("reset", document), log.revision)
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
