public import Domain
import Synchronization

/// An in-memory shared store of users and tokens.
///
/// The store sends notifications, fails on demand and can hold calls.
public final class InMemoryUsers: UserRepository, TokenRepository, OwnTokenRepository,
    ChangeNotificationRepository
{
    fileprivate struct State {
        var records: [UserID: UserRecord] = [:]
        var changeCounts: [UserID: Int64] = [:]
        /// The alerts of each user, newest first; records have the newest ones.
        var alertLogs: [UserID: [LoggedAlert]] = [:]
        var grants: [TokenHash: TokenGrant] = [:]
        /// The tokens of ``grants`` and those that are revoked, with their owners.
        var tokens: [TokenHash: (owner: UserID, token: UserToken)] = [:]
        var counts = Counts()
        var failure: StoreFailure?
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
        var deliver: (@Sendable (ChangeNotification) -> Void)?
        var isMute = false
    }

    /// The calls of each kind.
    public struct Counts: Sendable, Equatable {
        /// Token lookups.
        public var lookUps = 0
        /// Reads of a record.
        public var readings = 0
        /// Changes.
        public var changes = 0
        /// Reads of a change count.
        public var polls = 0
        /// Reads of the log of alerts.
        public var logReadings = 0

        /// All calls together.
        public var all: Int { lookUps + readings + changes }
    }

    private let state = Mutex(State())

    /// Makes a store without users.
    public init() {}

    // MARK: Controls of a test

    /// Adds a user with an empty record.
    public func addUser(_ user: UserID, name: String) {
        state.withLock { $0.records[user] = UserRecord(name: name) }
    }

    /// Removes a user with all tokens.
    public func removeUser(_ user: UserID) {
        state.withLock { state in
            state.records[user] = nil
            state.grants = state.grants.filter { $0.value.user != user }
        }
    }

    /// Adds a token of a user.
    public func addToken(
        _ token: TokenHash,
        of user: UserID,
        scope: TokenScope = .write,
        expiresAt: Timestamp? = nil
    ) {
        state.withLock { state in
            let new = NewUserToken(hash: token, scope: scope, expiresAt: expiresAt, note: nil)
            _ = state.add(new, of: user)
        }
    }

    /// Revokes a token.
    public func revoke(_ token: TokenHash) { state.withLock { $0.grants[token] = nil } }

    /// Makes every call fail; nil ends it.
    public func fail(_ failure: StoreFailure?) { state.withLock { $0.failure = failure } }

    /// Drops all notifications, as a dead connection does.
    public func mute() { state.withLock { $0.isMute = true } }

    /// Holds calls until ``letGo()``.
    public func hold() { state.withLock { $0.isHolding = true } }

    /// Releases the held calls.
    public func letGo() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for call in held { call.resume() }
    }

    /// The number of held calls.
    public var heldCount: Int { state.withLock { $0.held.count } }

    /// The number of calls so far.
    public var counts: Counts { state.withLock { $0.counts } }

    /// The record of a user.
    public func kept(of user: UserID) -> UserRecord? {
        state.withLock { $0.records[user] }
    }

    /// Makes a change as another process.
    public func changeElsewhere(_ change: UserChange, of user: UserID) throws {
        let deliver = try state.withLock { state in try state.make(change, of: user).deliver }
        deliver?(.users([user]))
    }

    /// Fires a rule of a user as the process that evaluates rules does.
    public func fire(
        _ rule: Int64,
        of user: UserID,
        _ market: MarketID?,
        _ value: FixedDecimal,
        at time: Timestamp = .noon()
    ) throws {
        let deliver = try state.withLock { state in
            var record = try state.record(of: user)
            let row = record.alerts.value.fire(rule, of: user, market, value, at: time)
            record.alerts.revision += 1
            state.alertLogs[user, default: []].insert(row, at: 0)
            state.records[user] = record
            state.changeCounts[user, default: 0] += 1
            return state.isMute ? nil : state.deliver
        }
        deliver?(.users([user]))
    }

    /// Sends a notification.
    public func notify(_ notification: ChangeNotification) {
        state.withLock { $0.deliver }?(notification)
    }

    // MARK: The store

    /// Looks tokens up.
    public func grants(
        of tokens: [TokenHash]
    ) async throws(StoreFailure) -> [TokenGrant?] {
        await wait { $0.counts.lookUps += 1 }
        return try perform { state throws(StoreFailure) in tokens.map { state.grants[$0] } }
    }

    /// The tokens of the owner of a token.
    public func tokens(ofOwnerOf token: TokenHash) async throws(StoreFailure) -> [UserToken] {
        await wait { $0.counts.lookUps += 1 }
        return try perform { state throws(StoreFailure) in
            let asker = try state.asker(token)
            return state.grants.filter { $0.value.user == asker.user }.keys
                .compactMap { hash in
                    var row = state.tokens[hash]?.token
                    row?.isCurrent = hash == token
                    return row
                }
                .sorted { $0.number < $1.number }
        }
    }

    /// Makes a token for the owner of a token.
    public func make(
        _ new: NewUserToken,
        forOwnerOf token: TokenHash
    ) async throws(StoreFailure) -> UserToken {
        await wait { $0.counts.changes += 1 }
        return try perform { state throws(StoreFailure) in
            let asker = try state.changingAsker(token)
            let validCount = state.grants.count { $0.value.user == asker.user }
            guard validCount < UserToken.validMax else {
                throw StoreFailure(.refused, "the limit of tokens is reached. Revoke one first")
            }
            var new = new
            new.expiresAt = [new.expiresAt, asker.expiresAt].compactMap(\.self).min()
            return state.add(new, of: asker.user)
        }
    }

    /// Revokes a token of the owner of a token, and notifies.
    public func revoke(
        _ number: Int64,
        ofOwnerOf token: TokenHash
    ) async throws(StoreFailure) -> Bool {
        await wait { $0.counts.changes += 1 }
        let (owner, deliver) = try perform { state throws(StoreFailure) in
            let asker = try state.changingAsker(token)
            let found = state.tokens.first {
                $0.value.owner == asker.user && $0.value.token.number == number
            }
            if let found { state.grants[found.key] = nil }
            return (found?.value.owner, state.deliver)
        }
        guard let owner else { return false }
        deliver?(.access([owner]))
        return true
    }

    /// Reads a record.
    public func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        await wait { $0.counts.readings += 1 }
        return try perform { state throws(StoreFailure) in try state.record(of: user) }
    }

    /// Makes a change and notifies.
    public func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        await wait { $0.counts.changes += 1 }
        let made = try perform { state throws(StoreFailure) in try state.make(change, of: user) }
        made.deliver?(.users([user]))
        return made.record
    }

    /// Reads a change count.
    public func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        try perform { state throws(StoreFailure) in
            state.counts.polls += 1
            return state.changeCounts[user] ?? 0
        }
    }

    /// Fails on demand.
    public func checkWriting(of user: UserID) async throws(StoreFailure) {
        try perform { _ throws(StoreFailure) in }
    }

    /// Empty: there is no journal.
    public func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] { [] }

    /// Reads a page of the log of alerts.
    public func alertLog(
        of user: UserID,
        before number: Int64?,
        count: Int
    ) async throws(StoreFailure) -> [LoggedAlert] {
        await wait { $0.counts.logReadings += 1 }
        return try perform { state throws(StoreFailure) in
            let log = state.alertLogs[user] ?? []
            return Array(log.filter { row in number.map { row.number < $0 } ?? true }.prefix(count))
        }
    }

    /// Delivers until the task is cancelled.
    public func run(deliver: @escaping @Sendable (ChangeNotification) -> Void) async {
        state.withLock { $0.deliver = deliver }
        for await _ in AsyncStream<Never>.makeStream(bufferingPolicy: .bufferingNewest(1)).stream {}
        // Ends outside of the lock: the closure may keep this store.
        _ = state.withLock { $0.deliver.take() }
    }

    private func wait(_ count: (inout sending State) -> Void) async {
        state.withLock { count(&$0) }
        await withCheckedContinuation { call in
            let isHeld = state.withLock { state in
                if state.isHolding { state.held.append(call) }
                return state.isHolding
            }
            if !isHeld { call.resume() }
        }
    }

    private func perform<Value: Sendable>(
        _ body: (inout State) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        try state.withLock { state throws(StoreFailure) -> Value in
            if let failure = state.failure { throw failure }
            return try body(&state)
        }
    }
}

extension InMemoryUsers.State {
    fileprivate mutating func add(_ new: NewUserToken, of user: UserID) -> UserToken {
        grants[new.hash] = TokenGrant(
            user: user,
            name: records[user]?.profile.value.name ?? "",
            scope: new.scope,
            expiresAt: new.expiresAt
        )
        let token = UserToken(
            number: (tokens.values.map(\.token.number).max() ?? 0) + 1,
            scope: new.scope,
            createdAt: Timestamp(microseconds: 1_000_000),
            expiresAt: new.expiresAt,
            lastUsedAt: nil,
            note: new.note,
            isCurrent: false
        )
        tokens[new.hash] = (user, token)
        return token
    }

    fileprivate func asker(_ token: TokenHash) throws(StoreFailure) -> TokenGrant {
        guard let grant = grants[token] else {
            throw StoreFailure(.unauthorized, "the token is invalid")
        }
        return grant
    }

    fileprivate func changingAsker(_ token: TokenHash) throws(StoreFailure) -> TokenGrant {
        let grant = try asker(token)
        guard grant.scope.allowsChanges else {
            throw StoreFailure(.forbidden, "the token is read-only")
        }
        return grant
    }

    fileprivate func record(of user: UserID) throws(StoreFailure) -> UserRecord {
        guard let record = records[user] else {
            throw StoreFailure(.unavailable, "there is no user \(user.number)")
        }
        return record
    }

    fileprivate mutating func make(
        _ change: UserChange,
        of user: UserID
    ) throws(StoreFailure) -> (
        record: UserRecord, deliver: (@Sendable (ChangeNotification) -> Void)?
    ) {
        let old = try record(of: user)
        let new = try old.applying(change)
        records[user] = new
        guard new != old else { return (new, nil) }
        changeCounts[user, default: 0] += 1
        return (new, isMute ? nil : deliver)
    }
}

extension TokenHash {
    /// A distinct hash for each number.
    public init(number: Int) {
        self.init((0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) })
    }
}
