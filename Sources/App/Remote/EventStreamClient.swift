import Concurrency
import DataSourceContracts
import Domain
import FoundationEssentials
import UseCases
import ViewStates
import Synchronization

/// Where a reader's time and chance come from.
struct RemoteEnvironment: Sendable {
    /// Measures waits.
    var clock: any Clock<Duration>
    /// A time that never goes back.
    var uptime: @Sendable () -> Duration
    /// Uniformly random bits.
    var random: @Sendable () -> UInt64
}

/// Keeps one document of a service up to date: the thin shell around ``ReadingPlan``.
///
/// ``run()`` connects, resumes and reconnects; what is wanted, and what there is, may be said and
/// asked from any thread at any time.
final class EventStreamClient<State: PatchableState>: Sendable {
    /// What there is.
    struct Reading: Sendable {
        /// The newest document; of another target until the first of this one has come.
        var document: Document<State>?
        /// What the document answers.
        var target: RemoteTarget?
        /// How the connection stands.
        var line = ReadingPlan.Line.connecting
    }

    private struct Held {
        var plan = ReadingPlan()
        var reading = Reading()
    }

    private let service: RemoteClient
    private let sources: RemoteEnvironment
    private let news: RemoteChangeNotifier
    private let onLine: @Sendable (ReadingPlan.Line) -> Void
    private let held = Mutex(Held())
    private let isChanged = AsyncEvent()

    /// Makes a reader that wants nothing.
    ///
    /// - Parameters:
    ///   - service: is read.
    ///   - sources: time and chance.
    ///   - news: is told when there is something else.
    ///   - onLine: is told how the connection stands whenever that changes; it must return at once.
    init(
        _ service: RemoteClient,
        _ sources: RemoteEnvironment,
        news: RemoteChangeNotifier,
        onLine: @escaping @Sendable (ReadingPlan.Line) -> Void = { _ in }
    ) {
        self.service = service
        self.sources = sources
        self.news = news
        self.onLine = onLine
    }

    /// What there is now.
    var reading: Reading { held.withLock { $0.reading } }

    /// Says what is wanted; nil for nothing.
    ///
    /// Returns at once.
    func want(_ target: RemoteTarget?) {
        if held.withLock({ $0.plan.want(target) }) { isChanged.signal() }
    }

    /// Reads everything anew, at once; returns at once.
    func restart() {
        held.withLock { $0.plan.restart() }
        isChanged.signal()
    }

    /// Reads until the task is cancelled; to be called once.
    func run() async {
        while !Task.isCancelled {
            let step = held.withLock { $0.plan.step(at: sources.uptime()) }
            switch step {
            case .rest: await isChanged.wait()
            case .pause(let time):
                await untilSignal { [clock = sources.clock] in
                    try? await clock.sleep(for: time)
                }
            case .connect(let target, let revision):
                await untilSignal { await self.follow(target, after: revision) }
            }
        }
    }

    /// Does something until it is done or something else is wanted.
    private func untilSignal(_ body: @escaping @Sendable () async -> Void) async {
        await withTaskGroup { group in
            group.addTask { await body() }
            group.addTask { await self.isChanged.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    private func follow(_ target: RemoteTarget, after revision: String?) async {
        do throws(RemoteFailure) {
            let connection = try await open(target, after: revision)
            defer { connection.close() }
            if revision != nil { tell { $0.plan.resumed(target) } }
            while !Task.isCancelled {
                let batch = try await within(ReadingPlan.silenceMax, .silent) {
                    () async throws(TransportError) in try await connection.receive()
                }
                if try !take(batch, of: target) { return }
            }
        } catch {
            // What was given up has not failed.
            guard !Task.isCancelled else { return }
            tell { held in
                held.plan.failed(error, at: sources.uptime(), random: sources.random())
            }
        }
    }

    private func open(
        _ target: RemoteTarget,
        after revision: String?
    ) async throws(RemoteFailure) -> any EventStreamConnection {
        var fields = [("Accept", "text/event-stream")]
        if let revision { fields.append(("Last-Event-ID", revision)) }
        let request = service.request(target, fields: fields)
        let streams = service.streams
        let connection = try await within(ReadingPlan.openMax, .timedOut) {
            () async throws(TransportError) in try await streams.open(request)
        }
        service.heard.take(connection.headers, at: service.now())
        let isStream = connection.headers["content-type"]?.hasPrefix("text/event-stream") ?? false
        if connection.status == 200, isStream { return connection }
        defer { connection.close() }
        let body = try await within(ReadingPlan.openMax, .timedOut) {
            () async throws(TransportError) in try await connection.body()
        }
        guard connection.status != 200 else {
            throw RemoteFailure(.notHoga, "the answer is no event stream")
        }
        throw RemoteFailure(status: connection.status, headers: connection.headers, body: body)
    }

    /// Takes events that came together, and says once that something is new.
    ///
    /// - Returns: whether the connection goes on.
    private func take(
        _ batch: EventBatch,
        of target: RemoteTarget
    ) throws(RemoteFailure) -> Bool {
        // Nobody else changes the document meanwhile, so it can be worked on outside the lock.
        var (document, documentTarget) = held.withLock { held in
            if let retry = batch.retry { held.plan.take(retry: retry) }
            return (held.reading.document, held.reading.target)
        }
        var ending: RemoteFailure?
        var isFitting = true
        for event in batch.events where ending == nil && isFitting {
            let id = event.lastEventID
            switch held.withLock({ $0.plan.rule(event.name, revision: id, of: target) }) {
            case .pass: continue
            case .leave:
                ending = RemoteFailure(.leaving, "the service ended the stream")
                continue
            case .replace:
                do throws(RemoteFailure) {
                    document = try Self.document(event.data)
                    documentTarget = target
                } catch {
                    ending = error
                    continue
                }
            case .apply:
                isFitting =
                    documentTarget == target
                    && Self.apply(event.data, to: &document, revision: id)
                if !isFitting { continue }
            }
            held.withLock { $0.plan.took(id, of: target) }
        }
        // What came before the end counts: a stream goes on behind it.
        tell { held in
            held.reading.document = document
            held.reading.target = documentTarget
            if !isFitting {
                held.plan.mismatched(at: sources.uptime(), random: sources.random())
            }
        }
        if let ending { throw ending }
        return isFitting
    }

    private static func document(_ data: [UInt8]) throws(RemoteFailure) -> Document<State> {
        let document = try RemoteClient.decode(
            Document<State>.self,
            State.schemaName,
            State.schemaVersion,
            from: data
        )
        guard document.schema == State.schemaName, document.version == State.schemaVersion else {
            throw RemoteFailure(
                .otherVersion,
                "\(State.schemaName) \(State.schemaVersion) was asked for, and "
                    + "\(document.schema.prefix(40)) \(document.version) came: use the same "
                    + "version of hoga on both sides"
            )
        }
        return document
    }

    /// Applies a patch to the document that stands.
    ///
    /// - Returns: whether it fits.
    private static func apply(
        _ data: [UInt8],
        to document: inout Document<State>?,
        revision: String
    ) -> Bool {
        guard var changed = document,
            let patch = try? JSONDecoder().decode(DocumentPatch<State>.self, from: Data(data))
        else { return false }
        do throws(DocumentPatchMismatch) {
            try patch.apply(to: &changed, revision: revision)
        } catch {
            return false
        }
        document = changed
        return true
    }

    /// Changes what is held, and says so.
    private func tell(_ change: (inout Held) -> Void) {
        let line = held.withLock { held -> ReadingPlan.Line? in
            let before = held.reading.line
            change(&held)
            held.reading.line = held.plan.line
            return before == held.plan.line ? nil : held.plan.line
        }
        if let line { onLine(line) }
        news.announce()
    }

    /// Waits for something of the network, but not for ever.
    private func within<Value: Sendable>(
        _ limit: Duration,
        _ code: RemoteFailure.Code,
        _ body: @escaping @Sendable () async throws(TransportError) -> Value
    ) async throws(RemoteFailure) -> Value {
        let value = try await withTimeout(limit, clock: sources.clock) {
            () async throws(RemoteFailure) in
            do throws(TransportError) {
                return try await body()
            } catch {
                throw RemoteFailure(error)
            }
        }
        guard let value else { throw RemoteFailure(code, "nothing came within \(limit)") }
        return value
    }
}
