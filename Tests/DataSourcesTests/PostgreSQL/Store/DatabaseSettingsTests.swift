import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "Unusual server settings are handled, or refused with the remedy",
    .enabled(if: TestDatabase.isAvailable)
)
struct DatabaseSettingsTests {
    // MARK: Temporary tables

    private static func minutes(_ count: Int) -> MinuteCandleBatchDTO {
        let rows = (0..<count).map { number in
            MinuteCandleBatchDTO.Row(
                market: "BTC_KRW",
                candle: .init(
                    openTime: Int64(number) * 60_000_000,
                    open: "1",
                    high: "1",
                    low: "1",
                    close: "1",
                    volume: "1",
                    fetchedAt: 1
                )
            )
        }
        return MinuteCandleBatchDTO(feed: "live", rows: rows, covered: [.init(from: 0, to: 1)])
    }

    @Test("migrating grants hoga_app the temporary tables it needs")
    func granted() async throws {
        try await TestDatabase.with { database in
            try await database.execute("REVOKE ALL ON DATABASE \(database.name) FROM PUBLIC")
            try await database.execute("GRANT CONNECT ON DATABASE \(database.name) TO hoga_app")
            try await withPool(database.ownerURL) { pool in
                _ = try await PostgreSQLSchema(pool: pool).migrate()
            }
            try await withPool(database.appURL) { pool in
                let store = PostgreSQLStore(pool: pool, slowness: 30)
                let lease = try #require(
                    try await store.takeLease(holder: "a", feed: "live", for: .seconds(1_800))
                )
                try await store.fenced(by: lease).saveMinutes(Self.minutes(300))
                let count = try await database.execute("SELECT count(*) FROM hoga.candles")
                #expect(count == "300")
            }
        }
    }

    @Test("without that permission many candles are refused with the remedy, and few are written")
    func missing() async throws {
        try await SharedStand.with { stand async throws in
            let name = stand.database.name
            try await stand.database.execute("REVOKE ALL ON DATABASE \(name) FROM PUBLIC, hoga_app")
            try await stand.database.execute("GRANT CONNECT ON DATABASE \(name) TO hoga_app")
            let store = try await stand.leading()
            let error = await failure { try await store.saveMinutes(Self.minutes(300)) }
            #expect(error?.code == .unavailable)
            #expect(error?.detail.contains("GRANT TEMPORARY ON DATABASE") == true)
            #expect(try await store.coveredMinutes(feed: "live") == [])
            try await store.saveMinutes(Self.minutes(200))
            #expect(try await stand.database.execute("SELECT count(*) FROM hoga.candles") == "200")
        }
    }

    // MARK: Isolation

    @Test(
        "a stricter isolation level is refused at start, and changes no multi-step transaction",
        arguments: ["repeatable read", "serializable"],
        [true, false]
    )
    func stricter(isolation: String, isOfRole: Bool) async throws {
        // A role is shared by all databases; its setting in one of them is not.
        try await MigratedDatabase.with { database in
            let subject = isOfRole ? "ROLE hoga_app_login IN DATABASE" : "DATABASE"
            try await database.execute(
                """
                ALTER \(subject) \(database.name)
                SET default_transaction_isolation = '\(isolation)'
                """
            )
            try await withPool(database.appURL) { pool in
                let schema = PostgreSQLSchema(pool: pool)
                let error = await failure { try await schema.verify() }
                #expect(error?.code == .incompatible)
                #expect(error?.detail.contains("SET default_transaction_isolation") == true)
                #expect(try await schema.migrations().allSatisfy { $0.state == .applied })
                let level = try await pool.transaction { transaction async throws(StoreError) in
                    let answers = try await transaction.perform([
                        PostgreSQLStatement("SELECT current_setting('transaction_isolation')")
                    ])
                    return try answers[0][0].text(0)
                }
                #expect(level == "read committed")
            }
            // The remedy.
            try await database.execute(
                """
                ALTER ROLE hoga_app_login IN DATABASE \(database.name)
                SET default_transaction_isolation = 'read committed'
                """
            )
            try await withPool(database.appURL) { pool in
                _ = try await PostgreSQLSchema(pool: pool).verify()
            }
        }
    }

    @Test("a stricter isolation level does not prevent migrating")
    func migratingStrictly() async throws {
        try await TestDatabase.with { database in
            try await database.execute(
                """
                ALTER DATABASE \(database.name)
                SET default_transaction_isolation = 'serializable'
                """
            )
            try await withPool(database.ownerURL) { pool in
                let applied = try await PostgreSQLSchema(pool: pool).migrate()
                #expect(!applied.isEmpty)
            }
        }
    }
}
