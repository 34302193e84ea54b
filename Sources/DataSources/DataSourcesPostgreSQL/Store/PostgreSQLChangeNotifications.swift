public import DataSourceContracts
import Synchronization

/// Notifies about changes by any instance, from LISTEN or else by polling each second.
///
/// A change may be delivered twice but is never lost, even if a connection is lost or transactions
/// commit in another order than they began.
public final class PostgreSQLChangeNotifications: ChangeNotificationSource {
    private let pool: PostgreSQLPool
    private let listener: PostgreSQLListener?
    private let wait: @Sendable () async throws -> Void

    /// Makes a source of notifications.
    ///
    /// - Parameters:
    ///   - pool: polled while the listener is not connected; a member of hoga_app.
    ///   - listener: receives notifications on its own session; nil for polling only.
    ///   - clock: measures the polling interval.
    public init(
        pool: PostgreSQLPool,
        listener: PostgreSQLListener?,
        clock: some Clock<Duration>
    ) {
        self.pool = pool
        self.listener = listener
        wait = { try await clock.sleep(for: .seconds(1)) }
    }

    /// Delivers notifications until the task is cancelled.
    public func run(deliver: @escaping @Sendable (ChangeNotificationDTO) async -> Void) async {
        guard let listener else { return await ask(deliver: deliver) { true } }
        let hearing = Hearing()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await listener.run(channel: "hoga_personal") { event in
                    switch event {
                    case .connected:
                        hearing.isHeard.withLock { $0 = true }
                        // Notifications sent before were lost.
                        await deliver(.anybody)
                    case .disconnected: hearing.isHeard.withLock { $0 = false }
                    case .notifications(let payloads):
                        let users = Set(payloads.compactMap { Int64($0) })
                        if !users.isEmpty { await deliver(.users(users.sorted())) }
                    }
                }
            }
            group.addTask {
                await self.ask(deliver: deliver) { hearing.isHeard.withLock { !$0 } }
            }
        }
    }

    private static let patience = PostgreSQLStore.TransactionTimeouts.short

    /// Polls each second while polling is needed.
    private func ask(
        deliver: @escaping @Sendable (ChangeNotificationDTO) async -> Void,
        while isWanted: @Sendable () -> Bool
    ) async {
        var plan = ChangeDeduplicator()
        while !Task.isCancelled {
            if isWanted() {
                do throws(StoreError) {
                    let answers = try await pool.perform(
                        [
                            Statements.settle(values: Self.patience.values(times: 1)),
                            Statements.readChanges(.text(ifAny: plan.mark)),
                        ],
                        as: .reading
                    )
                    if let changes = plan.take(try ChangeDeduplicator.Answer(answers[1])) {
                        await deliver(changes)
                    }
                } catch {
                    // The store is unreachable: the next poll uses the old mark and includes the
                    // time between.
                }
            } else {
                plan = ChangeDeduplicator()
            }
            do { try await wait() } catch { return }
        }
    }
}

/// Whether notifications are received.
private final class Hearing: Sendable {
    let isHeard = Mutex(false)
}

/// Finds new changes in the answers of a poll.
struct ChangeDeduplicator {
    /// An answer of ``Statements/readChanges``.
    struct Answer: Equatable {
        /// The mark for the next poll.
        var mark: String
        /// Number of the newest change of each changed user.
        var newest: [Int64: Int64]
    }

    /// The mark of the next poll; nil for the first one.
    private(set) var mark: String?
    /// Delivered changes: an answer may repeat a change while older transactions are in progress.
    private var delivered: [Int64: Int64] = [:]

    /// Returns the new changes of an answer; nil if there are none.
    mutating func take(_ answer: Answer) -> ChangeNotificationDTO? {
        let isFirst = mark == nil
        mark = answer.mark
        let changed = answer.newest.filter { delivered[$0.key] != $0.value }
        // A user missing in the answer reappears only with a new change.
        delivered = answer.newest
        // Any record may have changed before the first answer.
        if isFirst { return .anybody }
        return changed.isEmpty ? nil : .users(changed.keys.sorted())
    }
}

extension ChangeDeduplicator.Answer {
    /// Reads the rows.
    init(_ rows: PostgreSQLRows) throws(StoreError) {
        mark = ""
        newest = [:]
        for row in rows {
            mark = try row.text(0)
            if let user = try row.optionalInteger(1) { newest[user] = try row.integer(2) }
        }
    }
}
