public import DataSources

/// Looks whether what is notified is heard: a pooler in transaction mode takes the wish to listen,
/// and nothing ever comes of it.
public struct PostgreSQLSessionCheck: Sendable {
    private let pool: PostgreSQLPool
    private let listener: PostgreSQLListener
    private let clock: any Clock<Duration>

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - pool: notifies; it has to run.
    ///   - listener: hears; this check alone runs it.
    ///   - clock: measures the wait.
    public init(pool: PostgreSQLPool, listener: PostgreSQLListener, clock: any Clock<Duration>) {
        self.pool = pool
        self.listener = listener
        self.clock = clock
    }

    /// Notifies itself.
    ///
    /// - Parameters:
    ///   - word: what is notified; different for each check that runs at one time.
    ///   - patience: how long it may take until it is heard.
    /// - Throws: ``StoreError``: why the session was not opened; `unavailable` when nothing came.
    public func run(_ word: String, within patience: Duration) async throws(StoreError) {
        let answer = await withTaskGroup(of: Result<Void, StoreError>?.self) { group in
            group.addTask { await hear(word) }
            group.addTask {
                try? await clock.sleep(for: patience)
                return .failure(unheard)
            }
            defer { group.cancelAll() }
            for await answer in group {
                if let answer { return answer }
            }
            return .failure(unheard)
        }
        try answer.get()
    }

    private var unheard: StoreError {
        listener.failure
            ?? StoreError(
                .unavailable,
                "what was notified was not heard: a pooler in transaction mode may stand between"
            )
    }

    /// Ends with success once the word was heard; else when the task is cancelled.
    private func hear(_ word: String) async -> Result<Void, StoreError>? {
        let heard = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await listener.run(channel: "hoga_check") { news in
                    switch news {
                    case .back:
                        _ = try? await pool.perform(
                            [Statements.checkHearing(.text(word))],
                            as: .reading
                        )
                    case .away: break
                    case .notifications(let payloads):
                        if payloads.contains(word) { heard.continuation.finish() }
                    }
                }
                return false
            }
            group.addTask {
                for await _ in heard.stream {}
                return !Task.isCancelled
            }
            defer { group.cancelAll() }
            for await isHeard in group where isHeard { return .success(()) }
            return nil
        }
    }
}
