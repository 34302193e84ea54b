import DataSourceContracts
import DataSourcesPostgreSQL
import Domain
import Repositories
import Synchronization
import TestSupport
import UseCases

/// Delay until a change on one instance is visible on another with the same database.
///
/// Runs under `scripts/with-postgresql`. Measured from the call that makes the change to the
/// snapshot that the other instance's screens read.
enum NotificationMeasurement {
    private static let changesWithSession = 200
    private static let changesByAsking = 60
    /// Any 32 bytes: the token is never shown.
    private static let hash = Array(repeating: UInt8(9), count: 32)

    /// Measures with a notification session, and with polling each second; prints a line for each.
    static func run() async throws {
        let database = try await TestDatabase.make()
        let owner = try measuredPool(database.ownerURL)
        try await running([owner.run]) {
            _ = try await PostgreSQLSchema(pool: owner).migrate()
            let users = PostgreSQLUserAccounts(pool: owner)
            _ = try await users.addUser(name: "kim", at: 0)
            let new = NewTokenDTO(sha256: hash, scope: "write", madeAt: 0, expiresAt: nil)
            _ = try await users.addToken(new, of: "kim", limit: 1)
        }
        for (listens, count) in [(true, changesWithSession), (false, changesByAsking)] {
            let writer = try Instance(database.appURL, listens: listens)
            let reader = try Instance(database.appURL, listens: listens)
            let times = try await running([writer.run, reader.run]) {
                try await measure(writer, reader, count)
            }
            let sorted = times.sorted()
            print(
                "news: \(listens ? "with a session" : "asking each second"), \(count) changes:",
                "median \(milliseconds(sorted[count / 2])) ms,",
                "99 % \(milliseconds(sorted[count * 99 / 100])) ms,",
                "worst \(milliseconds(sorted[count - 1])) ms"
            )
        }
        try await database.drop()
    }

    private static func measure(
        _ writer: Instance,
        _ reader: Instance,
        _ count: Int
    ) async throws -> [Duration] {
        let clock = ContinuousClock()
        while writer.pinned.state.value.status != .ready
            || reader.pinned.state.value.status != .ready
        {
            try await clock.sleep(for: .milliseconds(5))
        }
        // The listeners need a little longer than the first read.
        try await clock.sleep(for: .seconds(2))
        var random = SeededGenerator(seed: 1)
        var times: [Duration] = []
        for number in 0..<count {
            // Changes come at random times between two polls.
            try await clock.sleep(for: .milliseconds(Int.random(in: 0...1_000, using: &random)))
            let change = change(number)
            let start = clock.now
            let record = try await writer.pinned.perform(change).record
            while reader.pinned.state.value.record != record {
                try await clock.sleep(for: .microseconds(200))
            }
            times.append(start.duration(to: clock.now))
        }
        return times
    }

    /// Favorites, settings and holdings in turn.
    private static func change(_ number: Int) -> UserChange {
        guard let market = MarketID(name: "BTC_KRW") else {
            preconditionFailure("BTC_KRW is a market")
        }
        switch number % 4 {
        case 0: return .addFavorite(market)
        case 1:
            var patch = SettingsPatch()
            patch.depth = 1 + number % 30
            return .changeSettings(patch, expecting: nil)
        case 2:
            let quantity = FixedDecimal(Int64(number + 1))
            return .putHolding(
                Holding(asset: Asset(of: market), quantity: quantity, averagePrice: nil)
            )
        default: return .removeFavorite(market)
        }
    }

    /// The store access of one hoga process.
    private struct Instance: Sendable {
        let pinned: PinnedUser
        private let pool: PostgreSQLPool
        private let notices: ChangeNoticeSender

        init(_ url: String, listens: Bool) throws {
            pool = try measuredPool(url)
            let listener: PostgreSQLListener? =
                listens
                ? try PostgreSQLListener(
                    address: try PostgreSQLAddress(url),
                    settings: .init(applicationName: "hoga-bench"),
                    pool: pool,
                    clock: ContinuousClock(),
                    random: { .random(in: .min ... .max) }
                ) : nil
            let notifications = PostgreSQLChangeNotifications(
                pool: pool,
                listener: listener,
                clock: ContinuousClock()
            )
            notices = ChangeNoticeSender(pool: pool, clock: ContinuousClock())
            let store = PostgreSQLStore(pool: pool, notices: notices)
            let now: @Sendable () -> Timestamp = { Timestamp(microseconds: 1) }
            let token = TokenHash(NotificationMeasurement.hash)
            let verifier = TokenVerifier(
                repository: StoredTokenRepository(store: store, now: now),
                clock: ContinuousClock(),
                now: now
            )
            let service = UserStateService(
                repository: TokenUserRepository(
                    token: token,
                    verifier: verifier,
                    users: StoredUserRepository(store: store, now: now)
                ),
                notifications: TokenOwnerNotifications(
                    token: token,
                    verifier: verifier,
                    notifications: PushedChangeNotifications(source: notifications)
                ),
                polls: true,
                outlet: .screen(fallsBackToMemory: false),
                clock: ContinuousClock()
            )
            pinned = PinnedUser(.tokenOwner, of: service)
        }

        func run() async {
            await withTaskGroup { group in
                group.addTask { await pool.run() }
                group.addTask { await notices.run() }
                group.addTask { await pinned.run() }
                await group.waitForAll()
            }
        }
    }

    /// Runs a job beside services, which end with it.
    private static func running<Value: Sendable>(
        _ services: [@Sendable () async -> Void],
        _ job: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            for service in services {
                group.addTask {
                    await service()
                    return nil
                }
            }
            defer { group.cancelAll() }
            return try await job()
        }
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = Int(duration / .microseconds(100))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
