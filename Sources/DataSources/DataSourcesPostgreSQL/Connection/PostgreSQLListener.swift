import Concurrency
public import DataSourceContracts
import Synchronization

/// Listens for notifications on a connection of its own, which must be a session: not through a
/// pooler in transaction mode.
///
/// A pooler accepts LISTEN and delivers nothing, and so does a proxy that is stuck. The listener
/// therefore sends itself a heartbeat each second, through the pool. Sent on the session itself, it
/// would arrive even through a pooler. A session on which heartbeats do not arrive is closed and
/// opened again.
///
/// Bound: `payloadsMax` different payloads of one batch; beyond that ``Event/connected`` reports
/// that some were lost.
public final class PostgreSQLListener: Sendable {
    /// An event of the listener.
    public enum Event: Sendable, Hashable {
        /// Notifications arrive from now on; earlier ones may be lost.
        case connected
        /// No notification arrives until ``connected``.
        case disconnected
        /// The payloads of one batch, each once, oldest first.
        case notifications([String])
    }

    /// The state of the session.
    private struct Hearing: Sendable {
        /// Counts the sessions.
        var session = 0
        /// Whether LISTEN has succeeded on that session.
        var isOpen = false
        /// Whether a heartbeat has arrived on that session.
        var isProven = false
        /// The newest heartbeat that arrived.
        var heard = 0
    }

    /// The time between two heartbeats.
    static let heartbeatInterval: Duration = .seconds(1)
    /// The first part of the payload of every instance's heartbeats, which no user's number has.
    private static let heartbeatPrefix = "heartbeat:"

    private let connector: Connector
    private let pool: PostgreSQLPool
    private let session: ListenerSession
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> UInt64
    private let hearingMax: Duration
    private let onFailure: @Sendable (StoreError?) -> Void
    private let failed = Mutex<StoreError?>(nil)
    private let hearing = AsyncValue(Hearing())
    /// The session to close, and why.
    private let restart = Mutex<(session: Int, reason: StoreError)?>(nil)
    /// Tells this listener's heartbeats from those of others.
    private let name: String

    /// Makes a listener; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - address: the server and the role.
    ///   - settings: gives the application name and the time-out for connecting.
    ///   - pool: sends the heartbeats to the same database.
    ///   - clock: measures waiting.
    ///   - random: uniformly random bits for backoff and the listener's name.
    ///   - hearingMax: the longest time that a sent heartbeat may take.
    ///   - onFailure: called with each new failure, and with nil once notifications arrive; it must
    ///     return at once.
    /// - Throws: ``StoreError`` with `unavailable` if no file descriptor is left.
    public init(
        address: PostgreSQLAddress,
        settings: PostgreSQLPool.Settings,
        pool: PostgreSQLPool,
        clock: any Clock<Duration>,
        random: @escaping @Sendable () -> UInt64,
        hearingMax: Duration = .seconds(2),
        onFailure: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) throws(StoreError) {
        session = try ListenerSession()
        connector = try Connector(address: address, settings: settings, clock: clock)
        self.pool = pool
        self.clock = clock
        self.random = random
        self.hearingMax = hearingMax
        self.onFailure = onFailure
        name = "\(random())"
    }

    /// Why notifications do not arrive; nil while they do, and before the first failure.
    public var failure: StoreError? { failed.withLock { $0 } }

    /// Whether notifications arrive.
    public var isHearing: Bool { hearing.value.isProven }

    /// Listens until the task is cancelled; called once.
    ///
    /// - Parameters:
    ///   - channel: a name of lower-case letters, digits and underscores.
    ///   - deliver: receives events one after the other.
    public func run(
        channel: StaticString,
        deliver: @escaping @Sendable (Event) async -> Void
    ) async {
        await withTaskCancellationHandler {
            await withTaskGroup { group in
                group.addTask { await self.listen(channel: "\(channel)", deliver: deliver) }
                group.addTask { await self.sendHeartbeats(channel: "\(channel)") }
                await group.waitForAll()
            }
        } onCancel: {
            connector.end()
            session.event.signal()
        }
    }

    /// Checks that notifications arrive, on a listener that does not run.
    ///
    /// - Parameter limit: the longest time that opening and the first heartbeat may take.
    /// - Throws: ``StoreError``: why none arrived.
    public func verify(within limit: Duration) async throws(StoreError) {
        let isHeard = await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.run(channel: "hoga_check") { _ in } }
            defer { group.cancelAll() }
            return await hearing.first(within: limit, clock: clock) { $0.isProven } != nil
        }
        guard !isHeard else { return }
        throw failure ?? StoreError(.unavailable, "the session was not opened in time")
    }

    // MARK: Listening

    private func listen(
        channel: String,
        deliver: @escaping @Sendable (Event) async -> Void
    ) async {
        var backoff = Backoff(.postgreSQL)
        let stopwatch = Stopwatch(clock)
        while !Task.isCancelled {
            _ = takeRestart()
            do throws(StoreError) {
                let opened = await withCheckedContinuation { waiter in
                    connector.open { waiter.resume(returning: $0) }
                }
                try await session.begin(try opened.get(), channel: channel)
                hearing.update {
                    $0.session += 1
                    $0.isOpen = true
                }
                while !Task.isCancelled {
                    guard let payloads = try await session.next() else {
                        if let reason = takeRestart() { throw reason }
                        continue
                    }
                    guard let event = receive(payloads) else { continue }
                    if event == .connected { backoff.succeeded() }
                    await deliver(event)
                }
            } catch {
                // It reconnects; the failure is for the operator.
                if !Task.isCancelled { note(error) }
            }
            await session.end()
            let wasProven = hearing.value.isProven
            hearing.update {
                $0.isOpen = false
                $0.isProven = false
            }
            if wasProven { await deliver(.disconnected) }
            // A cancelled sleep ends the loop.
            let wait = backoff.failed(at: stopwatch.elapsed, random: random())
            try? await clock.sleep(for: wait)
        }
    }

    /// Records heartbeats.
    ///
    /// - Returns: the event to deliver; nil for none.
    private func receive(_ payloads: [String]) -> Event? {
        let own = "\(Self.heartbeatPrefix)\(name):"
        let heartbeats = payloads.filter { $0.hasPrefix(own) }
            .compactMap { Int($0.dropFirst(own.count)) }
        let wasProven = hearing.value.isProven
        // Of too many notifications none is known: they arrive, and some were lost.
        let isLost = payloads.isEmpty
        let state = hearing.update { hearing in
            if let newest = heartbeats.max() { hearing.heard = max(hearing.heard, newest) }
            hearing.isProven = hearing.isProven || !heartbeats.isEmpty
        }
        if state.isProven, !wasProven || isLost {
            note(nil)
            return .connected
        }
        let rest = payloads.filter { !$0.hasPrefix(Self.heartbeatPrefix) }
        return state.isProven && !rest.isEmpty ? .notifications(rest) : nil
    }

    // MARK: Heartbeats

    private func sendHeartbeats(channel: String) async {
        var number = 0
        while !Task.isCancelled, let open = await hearing.first(where: { $0.isOpen }) {
            number += 1
            let sent = number
            let payload = "\(Self.heartbeatPrefix)\(name):\(sent)"
            do throws(StoreError) {
                _ = try await pool.perform(
                    [Statements.notify(.text(channel), .text(payload))],
                    as: .urgent
                )
                let answer = await hearing.first(within: hearingMax, clock: clock) { hearing in
                    hearing.heard >= sent || hearing.session != open.session || !hearing.isOpen
                }
                if answer == nil, !Task.isCancelled { end(open.session, because: Self.unheard) }
            } catch {
                // Unsent heartbeats tell nothing about a session that has heard others.
                if !hearing.value.isProven, !Task.isCancelled { note(error) }
            }
            try? await clock.sleep(for: Self.heartbeatInterval)
        }
    }

    private static let unheard = StoreError(
        .unavailable,
        "no notification arrives on the session: use a direct connection, because a pooler in "
            + "transaction mode delivers none, and check the proxies in between"
    )

    /// Closes a session, unless another one has replaced it.
    private func end(_ session: Int, because reason: StoreError) {
        restart.withLock { $0 = (session, reason) }
        self.session.event.signal()
    }

    /// The reason for closing the current session; nil if there is none.
    private func takeRestart() -> StoreError? {
        let asked = restart.withLock { restart in
            defer { restart = nil }
            return restart
        }
        guard let asked else { return nil }
        // A cancellation that signals before this ends the loop all the same.
        session.event.clear()
        return asked.session == hearing.value.session ? asked.reason : nil
    }

    private func note(_ failure: StoreError?) {
        let isNew = failed.withLock { failed in
            defer { failed = failure }
            return failed != failure
        }
        if isNew { onFailure(failure) }
    }
}
