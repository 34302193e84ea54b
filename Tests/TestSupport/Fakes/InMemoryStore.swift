public import DataSourceContracts
import Synchronization

/// An in-memory store that behaves as the real ones do and fails on demand.
///
/// Texts are compared byte for byte.
public final class InMemoryStore: UserRecordSource, MarketStoreSource {
    struct State {
        var users: [Int64: StoredUser]
        var tokens = StoredTokenRepository()
        var market = StoredMarketData()
        var leases = StoredLeases()
        var alertValues: [String: [String]] = [:]
        /// The number of changes of all users, and which one was the last of each user.
        var changeCount: Int64 = 0
        var lastChanges: [Int64: Int64] = [:]
    }

    /// The contents of the store, which all connections share.
    private final class Contents: Sendable {
        let state: Mutex<State>
        init(_ state: State) { self.state = Mutex(state) }
    }

    private let contents: Contents
    private let connection = Mutex(FailingConnection())
    /// The clock of the leases, microseconds since 1970 UTC.
    let now: @Sendable () -> Int64

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - users: the names of its users, numbered from 1.
    ///   - now: the clock of the leases, microseconds since 1970 UTC; they never expire without
    ///     one.
    public init(users: [String] = ["local"], now: @escaping @Sendable () -> Int64 = { 0 }) {
        self.now = now
        var records: [Int64: StoredUser] = [:]
        for (index, name) in users.enumerated() {
            records[Int64(index + 1)] = StoredUser(record: UserRecordDTO(name: name))
        }
        contents = Contents(State(users: records))
    }

    private init(_ contents: Contents, now: @escaping @Sendable () -> Int64) {
        self.now = now
        self.contents = contents
    }

    /// Another store with the same contents, for what may have happened instead.
    public func copy() -> InMemoryStore {
        InMemoryStore(Contents(contents.state.withLock { $0 }), now: now)
    }

    /// Another connection to this store, which fails and counts on its own.
    public func connected() -> InMemoryStore { InMemoryStore(contents, now: now) }

    /// The number of calls, including failed ones.
    public var callCount: Int { connection.withLock(\.callCount) }

    /// Makes every call fail; nil ends it.
    ///
    /// - Parameters:
    ///   - error: the failure.
    ///   - afterwards: whether the call is made nevertheless, as when a connection is lost between
    ///     the commit and its answer.
    public func fail(_ error: StoreError?, afterwards: Bool = false) {
        connection.withLock { $0.fail(error, afterwards: afterwards) }
    }

    /// Reads the record of a user; `unavailable` where there is none.
    public func record(of user: Int64) async throws(StoreError) -> UserRecordDTO {
        try perform { state throws(StoreError) in try state.user(user).record }
    }

    /// Changes the record of a user and appends a row to the journal, which keeps 10,000 rows.
    public func update(
        _ user: Int64,
        entry: NewJournalDTO,
        _ change: @Sendable (UserRecordDTO) throws(StoreError) -> UserRecordDTO
    ) async throws(StoreError) -> UserRecordDTO {
        try perform { state throws(StoreError) in
            var changed = try state.user(user)
            let record = try change(changed.record)
            let difference = UserRecordDifference(from: changed.record, to: record)
            guard !difference.isEmpty else { return changed.record }
            changed.write(difference, entry)
            state.users[user] = changed
            state.noteChange(of: user)
            return changed.record
        }
    }

    /// Reads the number of changes of a user.
    public func changeCount(of user: Int64) async throws(StoreError) -> Int64 {
        try perform { state throws(StoreError) in try state.user(user).changeCount }
    }

    /// Fails on demand.
    public func checkWriting(of user: Int64) async throws(StoreError) {
        try perform { _ in }
    }

    /// Reads the newest journal rows, newest first.
    public func journal(user: Int64, newest count: Int) async throws(StoreError) -> [JournalDTO] {
        try perform { state in
            Array((state.users[user]?.journal ?? []).suffix(max(0, count)).reversed())
        }
    }

    /// Reads or changes market data.
    func market<Value: Sendable>(
        _ body: (inout StoredMarketData) -> Value
    ) throws(StoreError) -> Value {
        try perform { body(&$0.market) }
    }

    /// Reads what is kept without a call, so even while calls fail.
    func inspect<Value: Sendable>(_ body: (State) -> Value) -> Value {
        contents.state.withLock { body($0) }
    }

    /// Counts a call and fails on demand.
    func perform<Value: Sendable>(
        _ body: (inout State) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let lost = try connection.withLock { connection throws(StoreError) in
            try connection.call()
        }
        let value = try contents.state.withLock { state throws(StoreError) in try body(&state) }
        if let lost { throw lost }
        return value
    }
}

extension InMemoryStore.State {
    func user(_ number: Int64) throws(StoreError) -> StoredUser {
        guard let user = users[number] else {
            throw StoreError(.unavailable, "there is no user \(number)")
        }
        return user
    }

    /// Counts a change of a user, or of a user's access.
    mutating func noteChange(of user: Int64) {
        changeCount += 1
        lastChanges[user] = changeCount
    }
}

/// The stored data of one user.
struct StoredUser {
    var record: UserRecordDTO
    var addedAt: Int64 = 0
    var isDisabled = false
    var journal: [JournalDTO] = []
    var alerts = StoredAlerts()
    var webhook: StoredWebhook?
    var changeCount: Int64 = 0

    /// Writes a difference that is not empty, and the journal.
    mutating func write(_ difference: UserRecordDifference, _ entry: NewJournalDTO) {
        if let name = difference.displayName { record.displayName = name }
        switch difference.favorites {
        case .append(let markets)?: record.favorites += markets
        case .remove(let market)?: record.favorites.removeAll { $0.bytes == market.bytes }
        case .replace(let markets)?: record.favorites = markets
        case nil: break
        }
        record.settings = difference.settings ?? record.settings
        record.cash = difference.cash ?? record.cash
        let written = difference.removedAssets + difference.holdings.map(\.asset)
        record.holdings.removeAll { row in written.contains { $0.bytes == row.asset.bytes } }
        record.holdings += difference.holdings
        record.holdings.sort { $0.asset.bytes.lexicographicallyPrecedes($1.asset.bytes) }
        write(alertsOf: difference)
        let increments = difference.increments
        for part in UserRecordDTO.Revisions.parts {
            record.revisions[keyPath: part] += increments[keyPath: part]
        }
        append(entry)
        changeCount += 1
    }

    private mutating func write(alertsOf difference: UserRecordDifference) {
        let numbers = difference.removedAlertRules + difference.alertRules.map(\.number)
        for number in numbers { alerts.forget(number) }
        record.alertRules.removeAll { numbers.contains($0.number) }
        record.alertRules += difference.alertRules
        record.alertRules.sort { $0.number < $1.number }
        record.alertsSeen = difference.alertsSeen ?? record.alertsSeen
    }

    /// Appends a row to the journal.
    mutating func append(_ entry: NewJournalDTO) {
        let number = (journal.last?.number ?? 0) + 1
        journal.append(
            JournalDTO(number: number, at: entry.at, kind: entry.kind, subject: entry.subject)
        )
        if journal.count > 10_000 { journal.removeFirst() }
    }
}

extension UserRecordDTO.Revisions {
    fileprivate static var parts: [WritableKeyPath<Self, Int64>] {
        [\.profile, \.favorites, \.settings, \.holdings, \.cash, \.alerts]
    }
}

extension String {
    /// The UTF-8 bytes.
    var bytes: [UInt8] { Array(utf8) }
}
