public import DataSourceContracts
import Synchronization

/// Hears notifications on a connection of its own, which must be a session: no pooler in
/// transaction mode between.
///
/// Bound: `payloadsMax` different payloads that came together; with more, ``News/back`` says that
/// some were not heard.
public final class PostgreSQLListener: Sendable {
    /// What is heard.
    public enum News: Sendable, Hashable {
        /// It listens from now on: what came before was not heard.
        case back
        /// It listens no more until ``back``.
        case away
        /// What came together: each payload once, oldest first.
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
    ///   - address: where the server is, and as whom it is talked to.
    ///   - settings: its name for the server and its time-out for connecting are used.
    ///   - clock: measures waiting.
    ///   - random: uniformly random bits; spreads the waits between attempts to connect.
    ///   - onFailure: is told why nothing is heard where that is news, and with nil that it is
    ///     heard again; returns at once.
    public init(
        address: PostgreSQLAddress,
        settings: PostgreSQLPool.Settings,
        clock: any Clock<Duration>,
        random: @escaping @Sendable () -> UInt64,
        onFailure: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) {
        connector = Connector(address: address, settings: settings, clock: Elapsed(clock))
        self.clock = clock
        self.random = random
        self.onFailure = onFailure
    }

    /// Why nothing is heard; nil while it is, and before the first attempt came to nothing.
    public var failure: StoreError? { failed.withLock { $0 } }

    /// Listens until the task is cancelled; to be called once.
    ///
    /// - Parameters:
    ///   - channel: a name of lower-case letters, digits and underscores.
    ///   - deliver: takes news, one after the other.
    public func run(
        channel: StaticString,
        deliver: @escaping @Sendable (News) async -> Void
    ) async {
        await withTaskCancellationHandler {
            await listen(channel: "\(channel)", deliver: deliver)
        } onCancel: {
            connector.end()
            session.signal.give()
        }
    }

    private func listen(
        channel: String,
        deliver: @escaping @Sendable (News) async -> Void
    ) async {
        var backoff = ConnectBackoff()
        while !Task.isCancelled {
            var isHearing = false
            do throws(StoreError) {
                let opened = await withCheckedContinuation { waiter in
                    connector.open { waiter.resume(returning: $0) }
                }
                try await session.begin(try opened.get(), channel: channel)
                backoff.succeeded()
                isHearing = true
                note(nil)
                await deliver(.back)
                while !Task.isCancelled {
                    guard let payloads = try await session.next() else { break }
                    await deliver(payloads.isEmpty ? .back : .notifications(payloads))
                }
            } catch {
                // It goes on as soon as it can; why is for those who look after it.
                if !Task.isCancelled { note(error) }
            }
            await session.end()
            if isHearing { await deliver(.away) }
            // Cancelled, it ends at the head of the loop.
            try? await clock.sleep(for: backoff.failed(random: random()))
        }
    }

    private func note(_ failure: StoreError?) {
        let isNews = failed.withLock { failed in
            defer { failed = failure }
            return failed != failure
        }
        if isNews { onFailure(failure) }
    }
}
