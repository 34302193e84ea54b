import DataSourceContracts
import Migrations
import Synchronization
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A primary and its standby",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable),
    .serialized
)
struct StandbyTests {
    private static let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: "1m")

    /// A migrated primary with user 1 and a standby that follows it.
    private static func with(
        _ body: (_ primary: TestCluster, _ standby: TestCluster) async throws -> Void
    ) async throws {
        let primary = try await TestCluster.make()
        try await withPool(primary.url) { pool in
            try await pool.write("CREATE ROLE hoga_app NOLOGIN")
            try await pool.write("CREATE ROLE hoga_service LOGIN IN ROLE hoga_app")
            _ = try await PostgreSQLSchema(pool: pool).migrate()
            try await pool.write("INSERT INTO hoga.users (name, added_at) VALUES ('kim', now())")
        }
        let standby = try await primary.standby()
        try await body(primary, standby)
    }

    private static func url(_ clusters: TestCluster..., options: String = "") -> String {
        let hosts = clusters.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        return "postgresql://hoga_service@\(hosts)/postgres\(options)"
    }

    /// Whether a server follows another one, asked over the pool.
    private static func isStandby(_ pool: PostgreSQLPool) async throws -> Bool {
        try await pool.read("SELECT pg_is_in_recovery()")[0].bool(0)
    }

    /// Adds a candle that opens at a minute.
    private static func write(minute: Int64, to store: PostgreSQLStore) async throws {
        let time = minute * 60_000_000
        try await store.leading("live").saveMinutes(
            MinuteCandleBatchDTO(
                feed: "live",
                rows: [
                    .init(
                        market: series.market,
                        candle: .init(
                            openTime: time,
                            open: "1",
                            high: "1",
                            low: "1",
                            close: "1",
                            volume: "1",
                            fetchedAt: time
                        )
                    )
                ],
                covered: []
            )
        )
    }

    private static func minutes(_ store: PostgreSQLStore) async throws -> [Int64] {
        try await store.candles(of: series, newest: 10, before: nil).rows
            .map { $0.openTime / 60_000_000 }
    }

    /// Looks until the standby is used.
    private static func isUsed(_ reader: StandbyReader) async throws -> Bool {
        try await eventually {
            await reader.look()
            return reader.status.isUsed
        }
    }

    private static func pauseReplay(of standby: TestCluster) async throws {
        try await withPool(standby.url) { admin in
            try await admin.write("SELECT pg_wal_replay_pause()")
            let isPaused = try await eventually {
                try await admin.read("SELECT pg_get_wal_replay_pause_state()")[0].text(0)
                    == "paused"
            }
            #expect(isPaused)
        }
    }

    // MARK: Addresses

    @Test("of several hosts the one is used that target_session_attrs asks for, in any order")
    func hosts() async throws {
        try await Self.with { primary, standby async throws in
            for hosts in [[primary, standby], [standby, primary]] {
                for (attributes, expected) in [
                    ("", false), ("?target_session_attrs=read-write", false),
                    ("?target_session_attrs=primary", false),
                    ("?target_session_attrs=prefer-standby", true),
                    ("?target_session_attrs=standby", true),
                    ("?target_session_attrs=read-only", true),
                ] {
                    let url = Self.url(hosts[0], hosts[1], options: attributes)
                    let isStandby = try await withPool(url) { try await Self.isStandby($0) }
                    #expect(isStandby == expected, "\(attributes)")
                }
            }
            try await standby.perform(.stop)
            let preferred = Self.url(
                standby,
                primary,
                options: "?target_session_attrs=prefer-standby"
            )
            let isStandby = try await withPool(preferred) { try await Self.isStandby($0) }
            #expect(!isStandby, "the primary answers while no standby does")
        }
    }

    // MARK: History

    @Test("candles come from a standby that has replayed them, else from the primary")
    func history() async throws {
        try await Self.with { primary, standby async throws in
            let reports = Mutex<[Bool]>([])
            try await withPool(Self.url(primary)) { main in
                try await withPool(Self.url(standby)) { replica in
                    let clock = ManualClock()
                    let reader = StandbyReader(
                        pool: replica,
                        primary: main,
                        ageMax: .seconds(10),
                        clock: clock
                    ) { failure in reports.withLock { $0.append(failure == nil) } }
                    let store = PostgreSQLStore(pool: main, history: reader, slowness: 30)
                    #expect(!reader.status.isUsed)
                    try await Self.write(minute: 1, to: store)
                    #expect(try await Self.isUsed(reader))
                    #expect(reader.status.age == .zero)
                    #expect(try await Self.minutes(store) == [1])

                    // Only the primary has the next candle.
                    try await Self.pauseReplay(of: standby)
                    try await Self.write(minute: 2, to: store)
                    clock.advance(by: .seconds(9))
                    await reader.look()
                    #expect(reader.status.isUsed)
                    #expect(reader.status.age == .seconds(9))
                    #expect(try await Self.minutes(store) == [1], "within the bound")
                    clock.advance(by: .seconds(2))
                    #expect(!reader.status.isUsed)
                    #expect(reader.status.failure?.code == .unavailable)
                    #expect(try await Self.minutes(store) == [1, 2], "beyond it")
                    await reader.look()

                    _ = try await withPool(standby.url) { admin in
                        try await admin.write("SELECT pg_wal_replay_resume()")
                    }
                    #expect(try await Self.isUsed(reader))
                    #expect(try await Self.minutes(store) == [1, 2])
                }
            }
            #expect(reports.withLock { $0 }.suffix(2) == [false, true])
        }
    }

    @Test("candles come from the primary while the standby is stopped, and of another cluster")
    func away() async throws {
        try await Self.with { primary, standby async throws in
            try await withPool(Self.url(primary)) { main in
                let adjust = { @Sendable (settings: inout PostgreSQLPool.Settings) in
                    settings.waitMax = .milliseconds(200)
                    settings.firstConnectTimeout = .milliseconds(200)
                }
                try await withPool(Self.url(standby), adjust) { replica in
                    let reader = StandbyReader(
                        pool: replica,
                        primary: main,
                        ageMax: .seconds(600),
                        clock: ContinuousClock()
                    )
                    let store = PostgreSQLStore(pool: main, history: reader, slowness: 30)
                    try await Self.write(minute: 1, to: store)
                    #expect(try await Self.isUsed(reader))
                    try await standby.perform(.stop)
                    // The reader finds it out with the first read that fails.
                    try await Self.write(minute: 2, to: store)
                    #expect(try await Self.minutes(store) == [1, 2])
                    #expect(!reader.status.isUsed)
                    await reader.look()
                    #expect(reader.status.failure?.code == .unavailable)
                    #expect(try await Self.minutes(store) == [1, 2])
                    try await standby.perform(.start)
                    #expect(try await Self.isUsed(reader))
                }
                let other = try await TestCluster.make()
                try await withPool(other.url) { replica in
                    let reader = StandbyReader(
                        pool: replica,
                        primary: main,
                        ageMax: .seconds(600),
                        clock: ContinuousClock()
                    )
                    await reader.look()
                    await reader.look()
                    #expect(!reader.status.isUsed)
                    #expect(reader.status.failure?.code == .unavailable)
                }
            }
        }
    }

    // MARK: A standby alone

    @Test("an address of standbys alone is read-only: changes are forbidden, reading works")
    func readOnly() async throws {
        try await Self.with { primary, standby async throws in
            try await withPool(Self.url(primary)) { pool in
                _ = try await PostgreSQLStore(pool: pool, slowness: 30)
                    .write(.putCash("5"), user: 1, at: 1)
            }
            let url = Self.url(primary, standby, options: "?target_session_attrs=standby")
            try await withPool(url) { pool in
                let store = PostgreSQLStore(pool: pool, slowness: 30)
                #expect(store.isReadOnly)
                let isCopied = try await eventually {
                    try await store.record(of: 1).cash == "5"
                }
                #expect(isCopied)
                let error = await failure {
                    try await store.write(.putCash("6"), user: 1, at: 2)
                }
                #expect(error?.code == .forbidden)
                #expect(await failure { try await store.checkWriting(of: 1) } == nil)
                let news = try await pool.perform([Statements.readNews(.null)], as: .reading)[0]
                #expect(try News(news).mark.contains("-standby/"))
                #expect(try await Self.isStandby(pool))
            }
        }
    }
}
