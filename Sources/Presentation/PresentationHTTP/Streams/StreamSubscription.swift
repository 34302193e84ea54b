import ViewStates
import Synchronization

/// One reader of a stream.
///
/// It keeps a cursor and nothing else: whoever takes pieces slowly gets, at each taking, one patch
/// from the cursor to the present. Its methods may be called from any thread.
public final class StreamSubscription: Sendable {
    /// After so many seconds a reader is told where it is.
    public static let bookmarkSeconds = 15

    fileprivate enum Phase {
        case beginning(lastEventID: String?)
        case following(DocumentRevision)
        /// `event: bye` is due.
        case leaving
        case over
    }

    fileprivate struct State {
        var phase: Phase
        var wake: (@Sendable () -> Void)?
        /// Whether the last piece was ``StreamChunk/nothing``, and nobody was woken since.
        var isAsleep = false
        /// Seconds since the last bookmark.
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

    /// Says who is to be called when there may be another piece: from any thread, any number of
    /// times; to be called before the first ``next()``.
    public func onUpdate(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// The next piece; never waits.
    public func next() -> StreamChunk {
        state.withLock { state in
            switch state.phase {
            case .over: return .end
            case .leaving:
                state.phase = .over
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

    /// Ends the stream with `event: bye`, as for a reader whose token was revoked.
    public func leave() {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            switch state.phase {
            case .beginning, .following: state.phase = .leaving
            case .leaving, .over: return nil
            }
            state.isAsleep = false
            return state.wake
        }
        wake?()
    }

    /// Gives the stream up, as its reader has gone; further calls do nothing.
    public func cancel() {
        state.withLock { state in
            state.phase = .over
            state.wake = nil
        }
        streams.forget(self)
    }

    /// Wakes the reader if it waits for news.
    func wake() {
        let wake = state.withLock { $0.takeWake() }
        wake?()
    }

    /// Lets a second go by.
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
            state.phase = .over
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
    /// The one to be called, once for each sleep.
    fileprivate mutating func takeWake() -> (@Sendable () -> Void)? {
        guard isAsleep else { return nil }
        isAsleep = false
        return wake
    }
}
