import DataSourceContracts
import DataSourcesPostgreSQL
import Glibc

/// Reads of whole user records in a deployment with many users: `Measure personal …`.
///
/// `Benchmarks/personal_reads.py` starts the server and passes the arguments:
///
/// - `prepare OWNER_URL`: migrates and adds the users.
/// - `fill APP_URL`: gives each user favorites.
/// - `open APP_URL RATE SECONDS`: starts RATE reads a second, and prints their latencies from the
///   intended start: milliseconds of p50, p99 and the maximum.
/// - `tokens OWNER_URL`: gives each user a token.
/// - `served APP_URL RATE SECONDS`: makes RATE requests a second to one process, as `serve` does;
///   prints calls of the store per second and microseconds of p50, p99 and the maximum.
/// - `closed APP_URL SECONDS`: reads as fast as possible, one read a connection at a time; prints
///   reads per second.
enum PersonalReads {
    private static let users = 1_000
    private static let favorites = 50
    private static let connections = 32

    /// Runs one of them.
    ///
    /// - Returns: false if it failed, or the arguments are unknown.
    static func run(_ words: [String]) async -> Bool {
        do {
            switch (words.first, words.count) {
            case ("prepare", 2):
                try await withPool(words[1]) { pool in
                    _ = try await PostgreSQLSchema(pool: pool).migrate()
                    let people = PostgreSQLUserAccounts(pool: pool)
                    for number in 1...users {
                        _ = try await people.addUser(name: "user\(number)", at: 0)
                    }
                }
            case ("fill", 2): try await withPool(words[1]) { try await fill($0) }
            case ("open", 4):
                guard let rate = Int(words[2]), let seconds = Int(words[3]) else { return false }
                try await withPool(words[1]) { pool in
                    try await open(PostgreSQLStore(pool: pool), rate: rate, seconds: seconds)
                }
            case ("tokens", 2):
                try await withPool(words[1]) { try await PersonalServing.addTokens($0) }
            case ("served", 4):
                guard let rate = Int(words[2]), let seconds = Int(words[3]) else { return false }
                try await withPool(words[1]) { pool in
                    try await PersonalServing.ask(pool, rate: rate, seconds: seconds)
                }
            case ("closed", 3):
                guard let seconds = Int(words[2]) else { return false }
                try await withPool(words[1]) { pool in
                    try await closed(PostgreSQLStore(pool: pool), seconds: seconds)
                }
            default: return false
            }
            return true
        } catch {
            print("\(error)")
            return false
        }
    }

    private static func withPool(
        _ url: String,
        _ body: @Sendable (PostgreSQLPool) async throws -> Void
    ) async throws {
        let adjust = { (settings: inout PostgreSQLPool.Settings) in
            settings.connectionsMax = connections
            settings.waitingMax = 100_000
        }
        try await withMeasuredPool(url, adjust, body)
    }

    /// All users have the same favorites.
    private static func fill(_ pool: PostgreSQLPool) async throws {
        let store = PostgreSQLStore(pool: pool)
        let markets = (1...favorites).map { "COIN\($0)_KRW" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<connections {
                group.addTask {
                    for user in stride(from: lane + 1, through: users, by: connections) {
                        let entry = NewJournalDTO(at: 0, kind: "favorite.replace", subject: nil)
                        _ = try await store.update(Int64(user), entry: entry) { record in
                            var record = record
                            record.favorites = markets
                            return record
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Loops

    private static func open(_ store: PostgreSQLStore, rate: Int, seconds: Int) async throws {
        try await warmUp(store)
        let clock = ContinuousClock()
        let start = clock.now
        let pause = Duration.seconds(1) / rate
        let latencies = try await withThrowingTaskGroup(of: Duration.self) { group in
            for number in 0..<(rate * seconds) {
                let intended = start + pause * number
                // A late read begins at once, and its delay counts.
                if clock.now < intended {
                    try await clock.sleep(until: intended, tolerance: .zero)
                }
                group.addTask {
                    try await read(store, Int64(number * 7 % users + 1))
                    return intended.duration(to: clock.now)
                }
            }
            var latencies: [Duration] = []
            for try await latency in group { latencies.append(latency) }
            return latencies.sorted()
        }
        let figures = [latencies.count / 2, latencies.count * 99 / 100, latencies.count - 1]
            .map { place in
                let microseconds = Int(latencies[place] / .microseconds(1))
                return "\(microseconds / 1_000).\(microseconds % 1_000 / 100)"
            }
        print(figures.joined(separator: " "))
    }

    private static func closed(_ store: PostgreSQLStore, seconds: Int) async throws {
        try await warmUp(store)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<connections {
                group.addTask {
                    var count = 0
                    while clock.now < end {
                        try await read(store, Int64((lane * 31 + count * 7) % users + 1))
                        count += 1
                    }
                    return count
                }
            }
            var count = 0
            for try await part in group { count += part }
            return count
        }
        print(count / seconds)
    }

    /// Opens all connections, and reads every record once.
    private static func warmUp(_ store: PostgreSQLStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in 1...users { group.addTask { try await read(store, Int64(user)) } }
            try await group.waitForAll()
        }
    }

    private static func read(_ store: PostgreSQLStore, _ user: Int64) async throws {
        let record = try await store.record(of: user)
        guard record.favorites.count == favorites else {
            throw StoreError(.damaged, "a person has other favorites than it was given")
        }
    }
}
