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

    @Test("candles are written without the right to temporary tables", arguments: [1, 300, 3_000])
    func noTemporaryTables(count: Int) async throws {
        try await SharedStand.with { stand async throws in
            let name = stand.database.name
            // As after the restore of a dump, which holds no privileges of the database.
            try await stand.database.execute("REVOKE ALL ON DATABASE \(name) FROM PUBLIC, hoga_app")
            try await stand.database.execute("GRANT CONNECT ON DATABASE \(name) TO hoga_app")
            let store = try await stand.leading()
            try await store.saveMinutes(Self.minutes(count))
            let written = try await stand.database.execute("SELECT count(*) FROM hoga.candles")
            #expect(written == "\(count)")
            #expect(try await store.coveredMinutes(feed: "live") == [.init(from: 0, to: 1)])
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
