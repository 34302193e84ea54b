import Domain
import ViewStates
import Synchronization

/// One document that is streamed, for all who read it.
final class StreamTopic: Sendable {
    /// What tells topics apart.
    enum Key: Sendable, Hashable {
        case everybody(DocumentQuery)
        case user(UserID, UserDocumentQuery, ObjectIdentifier)
    }

    /// What a reader with a cursor gets.
    enum Step: Sendable {
        case nothing
        case event([UInt8], DocumentRevision)
        /// All of the document, which began anew.
        case reset([UInt8], DocumentRevision)
        /// The cursor left the horizon.
        case lost
    }

    /// Patches to the present revision that are kept, one for each cursor that somebody had; the
    /// first is nearly always the one that everybody wants.
    static let patchesMax = 4

    private struct State {
        var trail: ChangeLog?
        var patches: [DocumentRevision: [UInt8]] = [:]
        var readers: [ObjectIdentifier: StreamSubscription] = [:]
    }

    let key: Key
    /// What has to be followed while somebody reads.
    let interests: Set<DetailInterest>
    /// Whether deposits and withdrawals have to be read meanwhile.
    let includesTransfers: Bool
    let keepLoaded: @Sendable () -> Void
    private let document: PinnedDocument
    /// Whose identity is part of the key: while this is kept, no other makers get it.
    private let cutters: UserDocumentProducers?
    private let bounds: ChangeLog.Bounds
    private let state = Mutex(State())

    init(_ query: DocumentQuery, _ document: PinnedDocument, bounds: ChangeLog.Bounds) {
        key = .everybody(query)
        interests = query.interests
        includesTransfers = query.includesTransfers
        keepLoaded = {}
        cutters = nil
        self.document = document
        self.bounds = bounds
    }

    init(_ query: UserStreamSource, _ document: PinnedDocument, bounds: ChangeLog.Bounds) {
        key = query.key
        interests = query.query.interests
        includesTransfers = query.query.includesTransfers
        keepLoaded = query.keepLoaded
        cutters = query.cutters
        self.document = document
        self.bounds = bounds
    }

    /// Takes the document of the newest cut, and wakes its readers if it is another.
    func advance() {
        let version = document.version()
        let readers = state.withLock { state -> [StreamSubscription] in
            guard state.trail?.take(version) ?? true else { return [] }
            if state.trail == nil { state.trail = ChangeLog(version, bounds: bounds) }
            state.patches.removeAll(keepingCapacity: true)
            return Array(state.readers.values)
        }
        for reader in readers { reader.wake() }
    }

    func add(_ reader: StreamSubscription) {
        state.withLock { $0.readers[ObjectIdentifier(reader)] = reader }
    }

    /// Gives a reader up.
    ///
    /// - Returns: whether it was one.
    func remove(_ reader: StreamSubscription) -> Bool {
        state.withLock { $0.readers.removeValue(forKey: ObjectIdentifier(reader)) != nil }
    }

    var readers: [StreamSubscription] { state.withLock { Array($0.readers.values) } }

    /// What a reader begins with.
    ///
    /// - Parameter lastEventID: the id of the last event that it has; nil for a reader without one.
    /// - Returns: the event, if there is anything to tell, and the reader's cursor.
    func first(
        after lastEventID: String?
    ) -> (event: [UInt8], cursor: DocumentRevision, isReset: Bool) {
        state.withLock { state in
            let trail = trail(&state)
            guard let lastEventID else {
                let id = trail.revision.text
                let event = EventFrame.event("snapshot", id: id, data: trail.document)
                return (event, trail.revision, false)
            }
            if let cursor = trail.cursor(lastEventID) {
                switch step(from: cursor, trail, &state) {
                case .nothing: return ([], cursor, false)
                case .event(let event, let revision): return (event, revision, false)
                case .reset, .lost: break
                }
            }
            return (Self.reset(trail), trail.revision, true)
        }
    }

    /// What a reader goes on with.
    func next(from cursor: DocumentRevision) -> Step {
        state.withLock { state in step(from: cursor, trail(&state), &state) }
    }

    private static func reset(_ trail: ChangeLog) -> [UInt8] {
        EventFrame.event("reset", id: trail.revision.text, data: trail.document)
    }

    private func trail(_ state: inout State) -> ChangeLog {
        if let trail = state.trail { return trail }
        let trail = ChangeLog(document.version(), bounds: bounds)
        state.trail = trail
        return trail
    }

    private func step(
        from cursor: DocumentRevision,
        _ trail: ChangeLog,
        _ state: inout State
    ) -> Step {
        if let event = state.patches[cursor] { return .event(event, trail.revision) }
        switch trail.way(from: cursor) {
        case .here: return .nothing
        case .restarted: return .reset(Self.reset(trail), trail.revision)
        case .unknown: return .lost
        case .patch(let data):
            let event = EventFrame.event("patch", id: trail.revision.text, data: data)
            if state.patches.count < Self.patchesMax { state.patches[cursor] = event }
            return .event(event, trail.revision)
        }
    }
}

extension UserStreamSource {
    /// What tells the topic from others.
    var key: StreamTopic.Key { .user(user, query, ObjectIdentifier(cutters)) }
}
