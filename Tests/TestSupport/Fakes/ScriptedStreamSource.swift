public import DataSourceContracts
import Synchronization

/// A fake of the exchange's stream that accepts or refuses connections.
public final class ScriptedStreamSource: MarketStreamSource {
    private struct State {
        var streams: [ScriptedStream] = []
        var failure: DataSourceError?
        var delay: Duration = .zero
    }

    private let log: AccessLog
    private let clock: ManualClock
    private let generation: APIGeneration
    private let state = Mutex(State())

    /// Creates a source that accepts at once.
    public init(log: AccessLog, clock: ManualClock, generation: APIGeneration = .v1) {
        self.log = log
        self.clock = clock
        self.generation = generation
    }

    /// The connections in order.
    public var streams: [ScriptedStream] { state.withLock { $0.streams } }

    /// Refuses new connections, or accepts them again.
    public func refuse(with failure: DataSourceError?) {
        state.withLock { $0.failure = failure }
    }

    /// Sets how long accepting or refusing takes.
    public func delay(by delay: Duration) { state.withLock { $0.delay = delay } }

    /// A new connection, unless connections are refused.
    public func connect() async throws(DataSourceError) -> any MarketStream {
        log.note(.connection)
        let log = log
        let delay = state.withLock { $0.delay }
        if delay > .zero { try? await clock.sleep(for: delay) }
        if Task.isCancelled { throw DataSourceError(.cancelled, "connecting was stopped") }
        let result: Result<ScriptedStream, DataSourceError> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            let stream = ScriptedStream(log: log, generation: generation)
            state.streams.append(stream)
            return .success(stream)
        }
        return try result.get()
    }
}

/// One connection of a ``ScriptedStreamSource``: it delivers what the test sends.
public final class ScriptedStream: MarketStream {
    /// The API that it speaks.
    public let generation: APIGeneration
    private let log: AccessLog
    private let inbox = Inbox<Result<StreamBatchDTO, DataSourceError>>()
    private let state = Mutex(false)

    init(log: AccessLog, generation: APIGeneration) {
        self.log = log
        self.generation = generation
    }

    /// Whether the client closed it.
    public var isClosed: Bool { state.withLock { $0 } }

    /// Sends messages that arrive together, each as a frame of its own.
    public func send(_ messages: StreamMessageDTO...) {
        inbox.put(.success(StreamBatchDTO(messages: messages, frameCount: messages.count)))
    }

    /// Ends the connection from the exchange's side.
    public func fail(_ error: DataSourceError) { inbox.put(.failure(error)) }

    /// Records the subscriptions.
    public func subscribe(
        _ subscriptions: [StreamSubscriptionDTO]
    ) async throws(DataSourceError) {
        if isClosed { throw DataSourceError(.disconnected, "the stream is closed") }
        log.note(.subscription(subscriptions))
    }

    /// The next batch; waits until the test sends one.
    public func receive() async throws(DataSourceError) -> StreamBatchDTO {
        guard let result = await inbox.next() else {
            throw DataSourceError(.cancelled, "the stream was stopped")
        }
        return try result.get()
    }

    /// Records the close, once.
    public func close() async {
        let wasClosed = state.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if !wasClosed { log.note(.close) }
    }
}
