import DataSources

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

    /// Makes a listener; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - address: where the server is, and as whom it is talked to.
    ///   - settings: its name for the server and its time-out for connecting are used.
    ///   - clock: measures waiting.
    ///   - random: uniformly random bits; spreads the waits between attempts to connect.
    public init(
        address: PostgreSQLAddress,
        settings: PostgreSQLPool.Settings,
        clock: any Clock<Duration>,
        random: @escaping @Sendable () -> UInt64
    ) {
        connector = Connector(address: address, settings: settings, clock: Elapsed(clock))
        self.clock = clock
        self.random = random
    }

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
                await deliver(.back)
                while !Task.isCancelled {
                    guard let payloads = try await session.next() else { break }
                    await deliver(payloads.isEmpty ? .back : .notifications(payloads))
                }
            } catch {
                // Why is of no use to whoever listens: it goes on as soon as it can.
            }
            await session.end()
            if isHearing { await deliver(.away) }
            // Cancelled, it ends at the head of the loop.
            try? await clock.sleep(for: backoff.failed(random: random()))
        }
    }
}
