public import DataSourceContracts
import Synchronization

/// Tells whose things were changed, by whichever instance: as they are notified, else by asking
/// each second.
///
/// A change is told twice rather than not at all: nothing is lost while a connection is away or
/// transactions end in another order than they began in.
public final class PostgreSQLChangeNotifications: ChangeNotificationSource {
    private let pool: PostgreSQLPool
    private let listener: PostgreSQLListener?
    private let wait: @Sendable () async throws -> Void

    /// Makes a source of news.
    ///
    /// - Parameters:
    ///   - pool: is asked while nobody listens; a member of hoga_app.
    ///   - listener: hears notifications on a session of its own; nil to ask alone.
    ///   - clock: measures the second between two questions.
    public init(
        pool: PostgreSQLPool,
        listener: PostgreSQLListener?,
        clock: some Clock<Duration>
    ) {
        self.pool = pool
        self.listener = listener
        wait = { try await clock.sleep(for: .seconds(1)) }
    }

    /// Tells until the task is cancelled.
    public func run(deliver: @escaping @Sendable (ChangeNotificationDTO) async -> Void) async {
        guard let listener else { return await ask(deliver: deliver) { true } }
        let hearing = Hearing()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await listener.run(channel: "hoga_personal") { news in
                    switch news {
                    case .connected:
                        hearing.isHeard.withLock { $0 = true }
                        // What came while nobody listened was not heard.
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

    /// Asks each second, as long as it is wanted at that time.
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
                    if let news = plan.take(try ChangeDeduplicator.Answer(answers[1])) {
                        await deliver(news)
                    }
                } catch {
                    // The store is away: what happens meanwhile is asked for with the old mark.
                }
            } else {
                plan = ChangeDeduplicator()
            }
            do { try await wait() } catch { return }
        }
    }
}

/// Whether notifications are heard.
private final class Hearing: Sendable {
    let isHeard = Mutex(false)
}

/// What is news of the answers to the question who was changed: a plain value that decides.
struct ChangeDeduplicator {
    /// An answer of ``Statements/readChanges``.
    struct Answer: Equatable {
        /// What to ask with next time.
        var mark: String
        /// The number of the newest change of each user who was changed.
        var newest: [Int64: Int64]
    }

    /// What to ask with; nil for the first time.
    private(set) var mark: String?
    /// What was told: the same change may be answered again while older ones are under way.
    private var told: [Int64: Int64] = [:]

    /// Takes an answer; nil when it has no news.
    mutating func take(_ answer: Answer) -> ChangeNotificationDTO? {
        let isFirst = mark == nil
        mark = answer.mark
        let news = answer.newest.filter { told[$0.key] != $0.value }
        // Who is not answered any more is answered again only with something new.
        told = answer.newest
        // Before the first answer anything may have happened.
        if isFirst { return .anybody }
        return news.isEmpty ? nil : .users(news.keys.sorted())
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
