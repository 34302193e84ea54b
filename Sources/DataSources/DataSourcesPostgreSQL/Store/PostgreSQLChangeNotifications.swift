import Concurrency
public import DataSourceContracts

/// Notifies about changes by any instance, which it reads from the journal: each second, and at
/// once when a notice arrives on a session.
///
/// Each change is delivered once, even if notices are lost or transactions commit in another order
/// than they began. Without a session changes are a second late at most.
public final class PostgreSQLChangeNotifications: ChangeNotificationSource {
    /// The longest time between two readings.
    static let interval: Duration = .seconds(1)
    /// The shortest time between two readings.
    static let spacing: Duration = .milliseconds(50)

    private let pool: PostgreSQLPool
    private let listener: PostgreSQLListener?
    private let clock: any Clock<Duration>

    /// Makes a source of notifications.
    ///
    /// - Parameters:
    ///   - pool: reads the journal; a member of hoga_app.
    ///   - listener: receives notices on its own session; nil for none.
    ///   - clock: measures the time between readings.
    public init(
        pool: PostgreSQLPool,
        listener: PostgreSQLListener?,
        clock: any Clock<Duration>
    ) {
        self.pool = pool
        self.listener = listener
        self.clock = clock
    }

    /// Delivers notifications until the task is cancelled.
    public func run(deliver: @escaping @Sendable (ChangeNotificationDTO) async -> Void) async {
        let wake = AsyncEvent()
        await withTaskGroup(of: Void.self) { group in
            if let listener {
                group.addTask {
                    await listener.run(channel: "hoga_personal") { _ in wake.signal() }
                }
            }
            group.addTask { await self.read(deliver: deliver, wake) }
        }
    }

    /// Reads the journal until the task is cancelled.
    private func read(
        deliver: @escaping @Sendable (ChangeNotificationDTO) async -> Void,
        _ wake: AsyncEvent
    ) async {
        let patience = PostgreSQLStore.TransactionTimeouts.short.values(times: 1)
        let stopwatch = Stopwatch(clock)
        var mark: String?
        while !Task.isCancelled {
            let start = stopwatch.elapsed
            do throws(StoreError) {
                let answers = try await pool.perform(
                    [Statements.settle(values: patience), Statements.readNews(.text(ifAny: mark))],
                    as: .urgent
                )
                let news = try News(answers[1])
                mark = news.mark
                // An upper bound: the server read its clock at some time since the start.
                let ages = news.ages.mapValues { $0 + stopwatch.elapsed - start }
                if !ages.isEmpty { await deliver(.ages(ages)) }
                for notification in news.notifications { await deliver(notification) }
                await deliver(.current(age: stopwatch.elapsed - start))
            } catch {
                // The store is unreachable: the next reading uses the old mark and includes the
                // time between.
            }
            try? await clock.sleep(for: Self.spacing)
            await wake.wait(within: Self.interval - Self.spacing, clock: clock)
        }
    }
}

/// An answer of ``Statements/readNews``.
struct News: Equatable {
    /// The mark of the next reading.
    var mark = ""
    /// The notifications to deliver, in order.
    var notifications: [ChangeNotificationDTO] = []
    /// The ages of the newest changes of users' records, by the server's clock, never negative.
    var ages: [Int64: Duration] = [:]

    /// Reads the rows.
    init(_ rows: PostgreSQLRows) throws(StoreError) {
        var users: [Int64] = []
        var access: [Int64] = []
        for row in rows {
            if let mark = try row.optionalText(0) {
                self.mark = mark
                if try row.bool(1) { notifications.append(.anybody) }
            } else if try row.bool(3) {
                access.append(try row.integer(2))
            } else {
                let user = try row.integer(2)
                users.append(user)
                // The server's clock may have been set back.
                if let age = try row.optionalInteger(4) { ages[user] = .microseconds(max(0, age)) }
            }
        }
        if !access.isEmpty { notifications.append(.access(access.sorted())) }
        if !users.isEmpty { notifications.append(.users(users.sorted())) }
    }
}
