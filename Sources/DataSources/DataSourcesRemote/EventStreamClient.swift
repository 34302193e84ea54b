import Concurrency
import DataSourceContracts
import Synchronization

/// The content of an event stream: a value that snapshots replace and patches change.
public protocol EventStreamContent: Sendable {
    /// Decodes a snapshot.
    ///
    /// - Throws: ``RemoteFailure`` `notHoga` or `otherVersion`.
    init(snapshot data: [UInt8]) throws(RemoteFailure)

    /// Applies a patch.
    ///
    /// - Returns: false, with the value unchanged, if the patch does not fit.
    mutating func apply(patch data: [UInt8], revision: String) -> Bool
}

/// The clock and randomness of a client.
public struct RemoteEnvironment: Sendable {
    /// Measures waits.
    public var clock: any Clock<Duration>
    /// The time since any fixed moment; it never decreases.
    public var uptime: @Sendable () -> Duration
    /// Uniformly random bits.
    public var random: @Sendable () -> UInt64

    /// Makes an environment.
    public init(
        clock: any Clock<Duration>,
        uptime: @escaping @Sendable () -> Duration,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.clock = clock
        self.uptime = uptime
        self.random = random
    }
}

/// Keeps one document of a server up to date: the shell around ``EventStreamClientState``.
///
/// ``run()`` connects, resumes and reconnects. Every other member may be used from any thread.
public final class EventStreamClient<Content: EventStreamContent>: Sendable {
    /// The current content.
    public struct Reading: Sendable {
        /// The newest content; of an earlier target until the first snapshot of this one arrives.
        public var content: Content?
        /// The target of the content.
        public var target: RemoteTarget?
        /// The state of the connection.
        public var connection = EventStreamClientState.Connection.connecting
    }

    private struct Held {
        var state = EventStreamClientState()
        var reading = Reading()
    }

    private let client: RemoteClient
    private let environment: RemoteEnvironment
    private let onChange: @Sendable () -> Void
    private let onConnection: @Sendable (EventStreamClientState.Connection) -> Void
    private let held = Mutex(Held())
    private let event = AsyncEvent()

    /// Makes a client without a target.
    ///
    /// - Parameters:
    ///   - client: sends the requests.
    ///   - environment: clock and randomness.
    ///   - onChange: called after every change of ``reading``; it must return at once.
    ///   - onConnection: called after every change of the connection; it must return at once.
    public init(
        _ client: RemoteClient,
        _ environment: RemoteEnvironment,
        onChange: @escaping @Sendable () -> Void,
        onConnection: @escaping @Sendable (EventStreamClientState.Connection) -> Void = { _ in }
    ) {
        self.client = client
        self.environment = environment
        self.onChange = onChange
        self.onConnection = onConnection
    }

    /// The current content and connection.
    public var reading: Reading { held.withLock { $0.reading } }

    /// Requests a target, nil for none; returns at once.
    public func want(_ target: RemoteTarget?) {
        if held.withLock({ $0.state.want(target) }) { event.signal() }
    }

    /// Requests a new snapshot without a wait; returns at once.
    public func restart() {
        held.withLock { $0.state.restart() }
        event.signal()
    }

    /// Follows the target until the task is cancelled; call it once.
    public func run() async {
        while !Task.isCancelled {
            let step = held.withLock { $0.state.step(at: environment.uptime()) }
            switch step {
            case .idle: await event.wait()
            case .pause(let time): await event.wait(within: time, clock: environment.clock)
            case .connect(let target, let revision):
                await untilEvent { await self.follow(target, after: revision) }
            }
        }
    }

    /// Runs a body until it returns or another target is requested.
    private func untilEvent(_ body: @escaping @Sendable () async -> Void) async {
        await withTaskGroup { group in
            group.addTask { await body() }
            group.addTask { _ = await self.event.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    private func follow(_ target: RemoteTarget, after revision: String?) async {
        do throws(RemoteFailure) {
            let connection = try await open(target, after: revision)
            defer { connection.close() }
            if revision != nil { update { $0.state.resumed(target) } }
            while !Task.isCancelled {
                let batch = try await within(EventStreamClientState.silenceMax, .silent) {
                    () async throws(TransportError) in try await connection.receive()
                }
                if try !receive(batch, of: target) { return }
            }
        } catch {
            // A cancelled connection has not failed.
            guard !Task.isCancelled else { return }
            update { held in
                held.state.failed(error, at: environment.uptime(), random: environment.random())
            }
        }
    }

    private func open(
        _ target: RemoteTarget,
        after revision: String?
    ) async throws(RemoteFailure) -> any EventStreamConnection {
        var fields = [("Accept", "text/event-stream")]
        if let revision { fields.append(("Last-Event-ID", revision)) }
        let request = client.request(target, fields: fields)
        let streams = client.streams
        let connection = try await within(EventStreamClientState.openMax, .timedOut) {
            () async throws(TransportError) in try await streams.open(request)
        }
        client.clock.receive(connection.headers)
        let isStream = connection.headers["content-type"]?.hasPrefix("text/event-stream") ?? false
        if connection.status == 200, isStream { return connection }
        defer { connection.close() }
        let body = try await within(EventStreamClientState.openMax, .timedOut) {
            () async throws(TransportError) in try await connection.body()
        }
        guard connection.status != 200 else {
            throw RemoteFailure(.notHoga, "the answer is not an event stream")
        }
        throw RemoteFailure(status: connection.status, headers: connection.headers, body: body)
    }

    /// Applies a batch of events and reports one change.
    ///
    /// - Returns: whether the connection continues.
    private func receive(
        _ batch: EventBatch,
        of target: RemoteTarget
    ) throws(RemoteFailure) -> Bool {
        // Only this task changes the content, so it may work on a copy outside the lock.
        var (content, contentTarget) = held.withLock { held in
            if let retry = batch.retry { held.state.receive(retry: retry) }
            return (held.reading.content, held.reading.target)
        }
        var ending: RemoteFailure?
        var isFitting = true
        for event in batch.events where ending == nil && isFitting {
            let id = event.lastEventID
            switch held.withLock({ $0.state.rule(event.name, revision: id, of: target) }) {
            case .ignore: continue
            case .reconnect:
                ending = RemoteFailure(.leaving, "the server ended the stream")
                continue
            case .replace:
                do throws(RemoteFailure) {
                    content = try Content(snapshot: event.data)
                    contentTarget = target
                } catch {
                    ending = error
                    continue
                }
            case .apply:
                isFitting =
                    contentTarget == target
                    && content?.apply(patch: event.data, revision: id) ?? false
                if !isFitting { continue }
            }
            held.withLock { $0.state.applied(id, of: target) }
        }
        // Events before the end of the stream count: the next connection resumes after them.
        update { held in
            held.reading.content = content
            held.reading.target = contentTarget
            if !isFitting {
                held.state.mismatched(at: environment.uptime(), random: environment.random())
            }
        }
        if let ending { throw ending }
        return isFitting
    }

    /// Changes the state and reports it.
    private func update(_ change: (inout Held) -> Void) {
        let connection = held.withLock { held -> EventStreamClientState.Connection? in
            let before = held.reading.connection
            change(&held)
            held.reading.connection = held.state.connection
            return before == held.state.connection ? nil : held.state.connection
        }
        if let connection { onConnection(connection) }
        onChange()
    }

    /// Waits for the network within a time limit.
    private func within<Value: Sendable>(
        _ limit: Duration,
        _ code: RemoteFailure.Code,
        _ call: @escaping @Sendable () async throws(TransportError) -> Value
    ) async throws(RemoteFailure) -> Value {
        do throws(TransportError) {
            if let value = try await withTimeout(limit, clock: environment.clock, call) {
                return value
            }
        } catch {
            throw RemoteFailure(error)
        }
        throw RemoteFailure(code, "nothing arrived within \(limit)")
    }
}
