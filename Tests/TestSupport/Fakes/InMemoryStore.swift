public import DataSourceContracts
import Synchronization

/// A store that keeps the promises of a real one as long as it lives, and fails when told to.
///
/// Texts are told apart by their bytes, as databases do.
public final class InMemoryStore: UserRecordSource, MarketStoreSource {
    struct State {
        var users: [Int64: StoredUser]
        var tokens = StoredTokenRepository()
        var market = StoredMarketData()
        var failure: StoreError?
        var callCount = 0
    }

    private let state: Mutex<State>

    /// Makes a store without content.
    ///
    /// - Parameter users: the names of its users, who are numbered from 1.
    public init(users: [String] = ["local"]) {
        var records: [Int64: StoredUser] = [:]
        for (index, name) in users.enumerated() {
            records[Int64(index + 1)] = StoredUser(record: UserRecordDTO(name: name))
        }
        state = Mutex(State(users: records))
    }

    /// How many calls were made, those that failed included.
    public var callCount: Int { state.withLock { $0.callCount } }

    /// How every call fails from now on; nil for no more.
    public func fail(_ error: StoreError?) { state.withLock { $0.failure = error } }

    /// Reads everything of one user; `unavailable` where there is none.
    public func personal(user: Int64) async throws(StoreError) -> UserRecordDTO {
        try perform { state throws(StoreError) in try state.user(user).record }
    }

    /// Makes a change and writes it into the journal, which keeps 10,000 rows.
    public func write(
        _ write: UserWriteDTO,
        user: Int64,
        at time: Int64
    ) async throws(StoreError) -> UserRecordDTO {
        try perform { state throws(StoreError) in
            var changed = try state.user(user)
            if try changed.apply(write, at: time) {
                changed.changeCount += 1
                state.users[user] = changed
            }
            return changed.record
        }
    }

    /// A number that grows with each change of a user.
    public func changeCount(of user: Int64) async throws(StoreError) -> Int64 {
        try perform { state throws(StoreError) in try state.user(user).changeCount }
    }

    /// Fails when told to.
    public func checkWriting(of user: Int64) async throws(StoreError) {
        try perform { _ in }
    }

    /// The newest rows of a user's journal, newest first.
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

    /// Makes a call: it is counted, and fails when told to.
    func perform<Value: Sendable>(
        _ body: (inout State) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try state.withLock { state throws(StoreError) -> Value in
            state.callCount += 1
            if let failure = state.failure { throw failure }
            return try body(&state)
        }
    }
}

extension InMemoryStore.State {
    func user(_ number: Int64) throws(StoreError) -> StoredUser {
        guard let user = users[number] else {
            throw StoreError(.unavailable, "there is no user \(number)")
        }
        return user
    }
}

/// What is kept of one user, and how it changes.
struct StoredUser {
    var record: UserRecordDTO
    var addedAt: Int64 = 0
    var isDisabled = false
    var journal: [JournalDTO] = []
    var changeCount: Int64 = 0

    /// Makes a change; whether it changed anything.
    mutating func apply(_ write: UserWriteDTO, at time: Int64) throws(StoreError) -> Bool {
        let before = record
        try change(write)
        guard !isSame(before, record) else {
            record = before
            return false
        }
        let (kind, subject) = count(write)
        let number = (journal.last?.number ?? 0) + 1
        journal.append(JournalDTO(number: number, at: time, kind: kind, subject: subject))
        if journal.count > 10_000 { journal.removeFirst() }
        return true
    }

    private mutating func change(_ write: UserWriteDTO) throws(StoreError) {
        switch write {
        case .addFavorite(let market, let limit):
            guard place(of: market) == nil else { return }
            guard record.favorites.count < limit else { throw Self.tooMany }
            record.favorites.append(market)
        case .removeFavorite(let market):
            if let place = place(of: market) { record.favorites.remove(at: place) }
        case .moveFavorite(let market, let target):
            guard let place = place(of: market) else { return }
            let moved = record.favorites.remove(at: place)
            record.favorites.insert(moved, at: min(max(0, target), record.favorites.count))
        case .replaceFavorites(let markets, let expected):
            try expect(expected, record.revisions.favorites)
            record.favorites = markets
        case .putSettings(let settings, let expected):
            try expect(expected, record.revisions.settings)
            record.settings = settings
        case .putHolding(let holding, let limit):
            let old = record.holdings.firstIndex { $0.asset.bytes == holding.asset.bytes }
            if let old {
                record.holdings[old] = holding
            } else {
                guard record.holdings.count < limit else { throw Self.tooMany }
                record.holdings.append(holding)
                record.holdings.sort { $0.asset.bytes.lexicographicallyPrecedes($1.asset.bytes) }
            }
        case .removeHolding(let asset):
            record.holdings.removeAll { $0.asset.bytes == asset.bytes }
        case .putCash(let amount):
            record.cash = amount
        case .putDisplayName(let name):
            record.displayName = name
        }
    }

    private mutating func count(_ write: UserWriteDTO) -> (kind: String, subject: String?) {
        switch write {
        case .addFavorite, .removeFavorite, .moveFavorite, .replaceFavorites:
            record.revisions.favorites += 1
        case .putSettings: record.revisions.settings += 1
        case .putHolding, .removeHolding: record.revisions.holdings += 1
        case .putCash: record.revisions.cash += 1
        case .putDisplayName: record.revisions.profile += 1
        }
        return switch write {
        case .addFavorite(let market, _): ("favorite.add", market)
        case .removeFavorite(let market): ("favorite.remove", market)
        case .moveFavorite(let market, _): ("favorite.move", market)
        case .replaceFavorites: ("favorite.replace", nil)
        case .putSettings: ("settings.put", nil)
        case .putHolding(let holding, _): ("holding.put", holding.asset)
        case .removeHolding(let asset): ("holding.remove", asset)
        case .putCash: ("cash.put", nil)
        case .putDisplayName: ("profile.put", nil)
        }
    }

    private func place(of market: String) -> Int? {
        record.favorites.firstIndex { $0.bytes == market.bytes }
    }

    private func expect(_ expected: Int64?, _ present: Int64) throws(StoreError) {
        guard let expected, expected != present else { return }
        throw StoreError(.conflict, "another revision is present")
    }

    private static let tooMany = StoreError(.tooMany, "no more rows are taken")
}

/// Equality alone would take two spellings of one letter for the same text.
private func isSame(_ left: UserRecordDTO, _ right: UserRecordDTO) -> Bool {
    left == right && String(reflecting: left).bytes == String(reflecting: right).bytes
}

extension String {
    /// The bytes of its UTF-8.
    var bytes: [UInt8] { Array(utf8) }
}
