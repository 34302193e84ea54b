import Concurrency
import DataSourceContracts
import Synchronization

/// Notifies other instances of changed users after the commits, at most 20 times a second.
///
/// A notification inside of a change's transaction would make all commits wait for each other.
/// Notices make instances read the journal sooner than at the next second; instances of 0.1.0
/// depend on them.
///
/// Bound: ``usersMax`` users wait; further ones get no notice.
public final class ChangeNoticeSender: Sendable {
    /// The shortest time between two notices.
    static let spacing: Duration = .milliseconds(50)
    /// The pause after a notice that could not be sent.
    static let retryInterval: Duration = .seconds(1)
    /// The users that wait at most.
    static let usersMax = 10_000

    private let pool: PostgreSQLPool
    private let clock: any Clock<Duration>
    private let changed = Mutex<Set<Int64>>([])
    private let isChanged = AsyncEvent()

    /// Makes a sender.
    ///
    /// - Parameters:
    ///   - pool: sends the notices.
    ///   - clock: measures the time between them.
    public init(pool: PostgreSQLPool, clock: any Clock<Duration>) {
        self.pool = pool
        self.clock = clock
    }

    /// Sends notices until the task is cancelled; called once.
    public func run() async {
        while await isChanged.wait() {
            let isSent = await flush()
            if !isSent { isChanged.signal() }
            try? await clock.sleep(for: isSent ? Self.spacing : Self.retryInterval)
        }
    }

    /// Sends one notice of all waiting users, if there are any.
    ///
    /// - Returns: false if it could not be sent; the users wait again then.
    @discardableResult
    public func flush() async -> Bool {
        let users = changed.withLock { changed in
            defer { changed = [] }
            return changed
        }
        guard !users.isEmpty else { return true }
        do throws(StoreError) {
            _ = try await pool.perform(
                [Statements.notifyChanges(.texts(users.sorted().map { "\($0)" }))],
                as: .urgent
            )
            return true
        } catch {
            changed.withLock { $0.formUnion(users.prefix(Self.usersMax - $0.count)) }
            return false
        }
    }

    /// Adds a changed user; returns at once.
    func add(_ user: Int64) {
        changed.withLock { if $0.count < Self.usersMax { $0.insert(user) } }
        isChanged.signal()
    }
}
