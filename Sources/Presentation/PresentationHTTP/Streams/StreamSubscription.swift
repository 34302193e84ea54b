import ViewStates
import Synchronization

/// One reader of a stream.
///
/// The subscription keeps a cursor and no queue: a slow reader gets one patch from its cursor to
/// the newest revision. Any thread may call its methods.
public final class StreamSubscription: Sendable {
    /// The interval of bookmarks.
    public static let bookmarkSeconds = 15

    fileprivate enum Phase {
        case beginning(lastEventID: String?)
        case following(DocumentRevision)
        /// `event: bye` is due.
        case leaving
        case ended
    }

    fileprivate struct State {
        var phase: Phase
        var wake: (@Sendable () -> Void)?
        /// Whether the last chunk was ``StreamChunk/nothing`` and `wake` was not called since.
        var isAsleep = false
        /// Since the last bookmark.
        var seconds = 0
    }

    let topic: StreamTopic
    private let streams: DocumentStreams
    private let retryMilliseconds: Int
    private let state: Mutex<State>

    init(
        _ topic: StreamTopic,
        of streams: DocumentStreams,
        lastEventID: String?,
        retryMilliseconds: Int
    ) {
        self.topic = topic
        self.streams = streams
        self.retryMilliseconds = retryMilliseconds
        state = Mutex(State(phase: .beginning(lastEventID: lastEventID)))
    }

    /// Sets the callback for new chunks; called before the first ``next()``.
    ///
    /// The callback runs on any thread, any number of times.
    public func onUpdate(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// The next chunk; never blocks.
    public func next() -> StreamChunk {
        state.withLock { state in
            switch state.phase {
            case .ended: return .end
            case .leaving:
                state.phase = .ended
                return .bytes(EventFrame.bye)
            case .beginning(let lastEventID):
                let first = topic.first(after: lastEventID)
                if first.isReset { streams.countReset() }
                state.phase = .following(first.cursor)
                let retry = EventFrame.retry(milliseconds: retryMilliseconds)
                return .bytes(retry + first.event)
            case .following(let cursor): return follow(cursor, &state)
            }
        }
    }

    /// Ends the stream with `event: bye`, for example after its token was revoked.
    public func leave() {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            switch state.phase {
            case .beginning, .following: state.phase = .leaving
            case .leaving, .ended: return nil
            }
            state.isAsleep = false
            return state.wake
        }
        wake?()
    }

    /// Removes the reader; further calls do nothing.
    public func cancel() {
        state.withLock { state in
            state.phase = .ended
            state.wake = nil
        }
        streams.remove(self)
    }

    /// Wakes the reader if it sleeps.
    func wake() {
        let wake = state.withLock { $0.takeWake() }
        wake?()
    }

    /// Called each second.
    func tick() {
        let wake = state.withLock { state in
            state.seconds += 1
            return state.seconds >= Self.bookmarkSeconds ? state.takeWake() : nil
        }
        wake?()
    }

    private func follow(_ cursor: DocumentRevision, _ state: inout State) -> StreamChunk {
        switch topic.next(from: cursor) {
        case .event(let bytes, let revision):
            state.phase = .following(revision)
            return .bytes(bytes)
        case .reset(let bytes, let revision):
            streams.countReset()
            state.phase = .following(revision)
            return .bytes(bytes)
        case .lost:
            state.phase = .ended
            return .bytes(EventFrame.bye)
        case .nothing:
            guard state.seconds >= Self.bookmarkSeconds else {
                state.isAsleep = true
                return .nothing
            }
            state.seconds = 0
            return .bytes(EventFrame.bookmark(id: cursor.text))
        }
    }
}

extension StreamSubscription.State {
    /// Returns the wake callback and marks the subscription awake; nil if it is not asleep.
    fileprivate mutating func takeWake() -> (@Sendable () -> Void)? {
        guard isAsleep else { return nil }
        isAsleep = false
        return wake
    }
}
