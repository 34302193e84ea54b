public import DataSourceContracts

/// Checks whether notifications arrive.
///
/// A pooler in transaction mode accepts LISTEN but never delivers anything.
public struct PostgreSQLNotificationCheck: Sendable {
    private let pool: PostgreSQLPool
    private let listener: PostgreSQLListener
    private let clock: any Clock<Duration>

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - pool: sends the notification; must be running.
    ///   - listener: receives it; run only by this check.
    ///   - clock: measures the timeouts.
    public init(pool: PostgreSQLPool, listener: PostgreSQLListener, clock: any Clock<Duration>) {
        self.pool = pool
        self.listener = listener
        self.clock = clock
    }

    /// Sends a notification and waits for it.
    ///
    /// - Parameters:
    ///   - word: the payload, unique among concurrent checks.
    ///   - opening: time limit until it listens and has sent the notification.
    ///   - hearing: time limit from then on until it arrives.
    /// - Throws: ``StoreError``: why the session was not opened or the notification not sent;
    ///   `unavailable` on a timeout.
    public func run(
        _ word: String,
        opening: Duration,
        hearing: Duration
    ) async throws(StoreError) {
        // Bound: 16 unread steps; later ones are dropped. The check waits for nothing else, so
        // steps do not accumulate.
        let (steps, teller) = AsyncStream<Step>.makeStream(bufferingPolicy: .bufferingOldest(16))
        @Sendable func tell(_ step: Step, after wait: Duration) async {
            do {
                try await clock.sleep(for: wait)
                teller.yield(step)
            } catch {
                // The result is known.
            }
        }
        let verdict: Result<Void, StoreError> = await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await listen(for: word) { teller.yield($0) } }
            group.addTask { await tell(.openingIsOver, after: opening) }
            var (isListening, isNotified) = (false, false)
            for await step in steps {
                switch step {
                case .listening: isListening = true
                case .notified where !isNotified:
                    isNotified = true
                    group.addTask { await tell(.hearingIsOver, after: hearing) }
                case .heard: return .success(())
                case .failed(let error): return .failure(error)
                case .openingIsOver where !isNotified:
                    let missing = isListening ? Self.unnotified : Self.unopened
                    return .failure(listener.failure ?? missing)
                case .hearingIsOver: return .failure(listener.failure ?? Self.unheard)
                case .notified, .openingIsOver: break
                }
            }
            return .failure(isNotified ? Self.unheard : Self.unopened)
        }
        try verdict.get()
    }

    private enum Step: Sendable {
        case listening
        case notified
        case heard
        case failed(StoreError)
        case openingIsOver
        case hearingIsOver
    }

    private static let unopened = StoreError(.unavailable, "the session was not opened in time")

    private static let unnotified = StoreError(
        .unavailable,
        "the notification was not sent in time"
    )

    private static let unheard = StoreError(
        .unavailable,
        "no notification arrived: a pooler in transaction mode may be in between"
    )

    /// Listens until the task is cancelled, and sends a notification each time it starts listening.
    private func listen(for word: String, tell: @escaping @Sendable (Step) -> Void) async {
        await listener.run(channel: "hoga_check") { event in
            switch event {
            case .connected:
                tell(.listening)
                do throws(StoreError) {
                    _ = try await pool.perform(
                        [Statements.checkHearing(.text(word))],
                        as: .reading
                    )
                    tell(.notified)
                } catch {
                    tell(.failed(error))
                }
            case .disconnected: break
            case .notifications(let payloads):
                if payloads.contains(word) { tell(.heard) }
            }
        }
    }
}
