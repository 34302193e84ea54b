import Concurrency
public import DataSourceContracts
import Synchronization

/// Listens for notifications on a connection of its own, which must be a session: not through a
/// pooler in transaction mode.
///
/// Bound: `payloadsMax` different payloads of one batch; beyond that ``Event/connected`` reports
/// that some were lost.
public final class PostgreSQLListener: Sendable {
    /// An event of the listener.
    public enum Event: Sendable, Hashable {
        /// The listener listens from now on; earlier notifications may be lost.
        case connected
        /// The listener does not listen until ``connected``.
        case disconnected
        /// The payloads of one batch, each once, oldest first.
        case notifications([String])
    }

    private let connector: Connector
    private let session = ListenerSession()
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> UInt64
    private let onFailure: @Sendable (StoreError?) -> Void
    private let failed = Mutex<StoreError?>(nil)

    /// Makes a listener; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - address: the server and the role.
    ///   - settings: gives the application name and the time-out for connecting.
    ///   - clock: measures waiting.
    ///   - random: uniformly random bits for backoff.
    ///   - onFailure: called with each new failure, and with nil once it listens again; it must
    ///     return at once.
    public init(
        address: PostgreSQLAddress,
        settings: PostgreSQLPool.Settings,
        clock: any Clock<Duration>,
        random: @escaping @Sendable () -> UInt64,
        onFailure: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) {
        connector = Connector(address: address, settings: settings, clock: clock)
        self.clock = clock
        self.random = random
        self.onFailure = onFailure
    }

    /// Why it does not listen; nil while it listens, and before the first failure.
    public var failure: StoreError? { failed.withLock { $0 } }

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
            await listen(channel: "\(channel)", deliver: deliver)
        } onCancel: {
            connector.end()
            session.event.signal()
        }
    }

    private func listen(
        channel: String,
        deliver: @escaping @Sendable (Event) async -> Void
    ) async {
        var backoff = Backoff(.postgreSQL)
        let stopwatch = Stopwatch(clock)
        while !Task.isCancelled {
            var isListening = false
            do throws(StoreError) {
                let opened = await withCheckedContinuation { waiter in
                    connector.open { waiter.resume(returning: $0) }
                }
                try await session.begin(try opened.get(), channel: channel)
                backoff.succeeded()
                isListening = true
                note(nil)
                await deliver(.connected)
                while !Task.isCancelled {
                    guard let payloads = try await session.next() else { break }
                    await deliver(payloads.isEmpty ? .connected : .notifications(payloads))
                }
            } catch {
                // It reconnects; the failure is for the operator.
                if !Task.isCancelled { note(error) }
            }
            await session.end()
            if isListening { await deliver(.disconnected) }
            // A cancelled sleep ends the loop.
            let wait = backoff.failed(at: stopwatch.elapsed, random: random())
            try? await clock.sleep(for: wait)
        }
    }

    private func note(_ failure: StoreError?) {
        let isNew = failed.withLock { failed in
            defer { failed = failure }
            return failed != failure
        }
        if isNew { onFailure(failure) }
    }
}
