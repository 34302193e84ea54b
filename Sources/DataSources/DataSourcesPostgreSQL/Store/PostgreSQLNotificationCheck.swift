import Concurrency
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
        let progress = AsyncValue(Progress())
        let failure: StoreError? = await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await listen(for: word, progress) }
            let sent = await progress.first(within: opening, clock: clock) {
                $0.isNotified || $0.isOver
            }
            guard let sent else {
                let missing = progress.value.isListening ? Self.unnotified : Self.unopened
                return listener.failure ?? missing
            }
            if sent.isOver { return sent.failure }
            let end = await progress.first(within: hearing, clock: clock) { $0.isOver }
            guard let end else { return listener.failure ?? Self.unheard }
            return end.failure
        }
        if let failure { throw failure }
    }

    /// The steps of the check that are done.
    private struct Progress: Sendable {
        var isListening = false
        var isNotified = false
        var isHeard = false
        var failure: StoreError?

        var isOver: Bool { isHeard || failure != nil }
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
    private func listen(for word: String, _ progress: AsyncValue<Progress>) async {
        await listener.run(channel: "hoga_check") { event in
            switch event {
            case .connected:
                progress.update { $0.isListening = true }
                do throws(StoreError) {
                    _ = try await pool.perform(
                        [Statements.checkHearing(.text(word))],
                        as: .reading
                    )
                    progress.update { $0.isNotified = true }
                } catch {
                    progress.update { if !$0.isHeard { $0.failure = error } }
                }
            case .disconnected: break
            case .notifications(let payloads):
                if payloads.contains(word) { progress.update { $0.isHeard = true } }
            }
        }
    }
}
