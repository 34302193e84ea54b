import Compression
import ViewStates
import Synchronization

/// One reader of a stream.
///
/// The subscription keeps a cursor and at most one event, and no queue: events are made for readers
/// that have taken the one before, so a slow reader gets one patch from its cursor to the newest
/// revision. Any thread may call its methods; only the thread of ``DocumentStreams`` serves it.
public final class StreamSubscription: Sendable {
    /// The interval of bookmarks.
    public static let bookmarkSeconds = 15

    /// The place of a reader in the stream.
    enum Position: Sendable, Hashable {
        /// The first event; `lastEventID` is the id of the last event that the reader has.
        case beginning(lastEventID: String?)
        /// The changes since a revision.
        case following(DocumentRevision)
    }

    fileprivate enum Phase {
        case open(Position)
        /// `event: bye` is due.
        case leaving
        case ended
    }

    fileprivate struct State {
        var phase: Phase
        var coding: StreamCoding
        var wake: (@Sendable () -> Void)?
        /// The time of reconnection, until it is sent before the first event.
        var retry: [UInt8]?
        /// The event to send next.
        var event: StreamEvent?
        /// Whether the last chunk was ``StreamChunk/nothing``: the reader can take an event.
        var isWaiting = false
        /// Since the last bookmark.
        var seconds = 0
    }

    let topic: StreamTopic
    /// The client or user who reads.
    let owner: StreamQuota.Owner
    /// Whether events must be compressed.
    let isGzip: Bool
    let streams: DocumentStreams
    private let state: Mutex<State>

    init(
        _ topic: StreamTopic,
        of streams: DocumentStreams,
        for reader: StreamReader,
        lastEventID: String?,
        retryMilliseconds: Int
    ) {
        self.topic = topic
        self.streams = streams
        owner = reader.owner
        isGzip = reader.isGzip
        state = Mutex(
            State(
                phase: .open(.beginning(lastEventID: lastEventID)),
                coding: StreamCoding(isGzip: reader.isGzip),
                retry: EventFrame.retry(milliseconds: retryMilliseconds)
            )
        )
    }

    /// Sets the callback for new chunks; called before the first ``next()``.
    ///
    /// The callback runs on any thread, any number of times.
    public func onUpdate(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// The next chunk; never blocks and makes no event.
    public func next() -> StreamChunk {
        let (chunk, position) = state.withLock { state in
            let chunk = next(&state)
            guard case .nothing = chunk, case .open(let position) = state.phase else {
                return (chunk, Position?.none)
            }
            return (chunk, position)
        }
        if let position { streams.requestEvent(for: self, at: position) }
        return chunk
    }

    private func next(_ state: inout State) -> StreamChunk {
        switch state.phase {
        case .ended: return .end
        case .leaving:
            state.phase = .ended
            return .bytes(state.coding.encode(short: EventFrame.bye) + state.coding.end)
        case .open(let position):
            // Apart from the first event: readers who do not take that yet share its bytes.
            if case .following = position, let retry = state.takeRetry() { return .bytes(retry) }
            if let event = state.event.take() { return .bytes(state.coding.encode(event)) }
            if case .following(let cursor) = position, state.seconds >= Self.bookmarkSeconds {
                state.seconds = 0
                return .bytes(state.coding.encode(short: EventFrame.bookmark(id: cursor.text)))
            }
            state.isWaiting = true
            return .nothing
        }
    }

    /// Ends the stream with `event: bye`, for example after its token was revoked.
    public func leave() {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .open = state.phase else { return nil }
            state.phase = .leaving
            state.event = nil
            state.isWaiting = false
            return state.wake
        }
        wake?()
    }

    /// Removes the reader; further calls do nothing.
    public func cancel() {
        state.withLock { state in
            state.phase = .ended
            state.event = nil
            state.isWaiting = false
            state.wake = nil
        }
        streams.remove(self)
    }

    // MARK: - Serving

    /// The place of a waiting reader; nil if it has not taken its last event yet, or has left.
    var waitingPosition: Position? {
        state.withLock { state in
            guard state.isWaiting, case .open(let position) = state.phase else { return nil }
            return position
        }
    }

    /// Hands over the event that leads from the reader's position to a revision.
    ///
    /// - Parameters:
    ///   - event: the event; nil if the reader is up to date.
    ///   - revision: the reader's cursor behind the event.
    /// - Returns: the callback to call soon; nil if the reader has nothing to take.
    func deliver(_ event: StreamEvent?, at revision: DocumentRevision) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.isWaiting, case .open = state.phase else { return nil }
            state.phase = .open(.following(revision))
            state.event = event
            return event == nil && state.retry == nil ? nil : state.takeWake()
        }
    }

    /// Called each second.
    func tick() {
        let wake = state.withLock { state in
            state.seconds += 1
            return state.seconds >= Self.bookmarkSeconds ? state.takeWake() : nil
        }
        wake?()
    }
}

extension StreamSubscription.State {
    fileprivate mutating func takeRetry() -> [UInt8]? {
        guard let retry = retry.take() else { return nil }
        return coding.encode(short: retry)
    }

    /// Returns the wake callback and ends the wait; nil if the reader does not wait.
    fileprivate mutating func takeWake() -> (@Sendable () -> Void)? {
        guard isWaiting else { return nil }
        isWaiting = false
        return wake
    }
}

/// The reader of a new stream.
struct StreamReader: Sendable {
    /// The client or user to whom the stream is charged.
    var owner: StreamQuota.Owner
    /// Whether the reader accepts gzip.
    var isGzip: Bool

    /// A reader in this process.
    static let local = StreamReader(owner: .process, isGzip: false)
}
