import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A process that lost its lease changes nothing, in any race of writes and take-overs",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable)
)
struct LeaseRaceTests {
    private static let hour = Duration.seconds(3_600)
    private static let series = CandleSeriesDTO(feed: "live", market: "A", interval: "10m")

    /// A candle with its writer's epoch as price.
    private static func candles(_ epoch: Int64, at time: Int64) -> StoredCandlesDTO {
        let row = StoredCandlesDTO.Row(allOf: "\(epoch)", fetchedAt: time)
        return StoredCandlesDTO(series: series, rows: [row], spans: [])
    }

    @Test("after a take-over no write of an older epoch is kept")
    func races() async throws {
        try await SharedStand.with(connections: 8) { stand async throws in
            let store = stand.store
            var old = try #require(try await store.takeLease(holder: "0"))
            for round in 1...60 as ClosedRange<Int64> {
                try await stand.database.execute(
                    "UPDATE hoga.instance_lease SET expires_at = clock_timestamp() "
                        + "+ interval '\(round % 4) milliseconds'"
                )
                let taken = try await withThrowingTaskGroup(of: LeaseDTO?.self) { group in
                    for attempt in 0..<6 as Range<Int64> {
                        group.addTask { [old] in
                            let writer = store.fenced(by: old)
                            _ = await StoreSubject.code { () throws(StoreError) in
                                try await writer.saveCandles(
                                    Self.candles(old.epoch, at: round * 10 + attempt)
                                )
                            }
                            return nil
                        }
                    }
                    group.addTask {
                        while true {
                            let lease = try await store.takeLease(holder: "\(round)")
                            guard let lease else { continue }
                            // The new holder's fetch time is older than all: any later write
                            // replaces it.
                            try await store.fenced(by: lease)
                                .saveCandles(Self.candles(lease.epoch, at: round * 10 + 9))
                            // From here on no write of the old lease may succeed.
                            return lease
                        }
                    }
                    return try await group.reduce(nil) { $0 ?? $1 }
                }
                let lease = try #require(taken)
                #expect(lease.epoch == old.epoch + 1)
                let code = await StoreSubject.code { [old] () throws(StoreError) in
                    try await store.fenced(by: old)
                        .saveCandles(Self.candles(old.epoch, at: round * 10 + 9))
                }
                #expect(code == .fenced)
                let kept = try await store.candles(of: Self.series, newest: 1)
                #expect(kept.rows.map(\.close) == ["\(lease.epoch)"], "round \(round)")
                old = lease
            }
        }
    }

    @Test("a take-over waits for a write in progress, and a renewal does not")
    func order() async throws {
        try await SharedStand.with { stand async throws in
            let store = stand.store
            let lease = try #require(try await store.takeLease(holder: "a"))
            try await stand.app.transaction { transaction async throws(StoreError) in
                _ = try await transaction.perform([Statements.holdLease(values: lease.values)])
                #expect(try await store.renewLease(lease, for: Self.hour))
                // The lease expires during the write.
                try await stand.owner.write(
                    "UPDATE hoga.instance_lease SET expires_at = clock_timestamp()"
                )
                // With the real time limit, which ends it.
                let code = await StoreSubject.code { () throws(StoreError) in
                    try await PostgreSQLStore(pool: stand.app).takeLease(holder: "b")
                }
                #expect(code == .busy)
                _ = try await transaction.perform([
                    Statements.noteReading(.text("live"), .text("names"), .time(1))
                ])
            }
            let next = try await store.takeLease(holder: "b")
            #expect(next?.epoch == lease.epoch + 1)
            #expect(try await store.names(feed: "live")?.readAt == 1)
        }
    }

    @Test("checking whether the lease is free waits for no write")
    func looking() async throws {
        try await SharedStand.with { stand async throws in
            let store = stand.store
            let lease = try #require(try await store.takeLease(holder: "a"))
            try await stand.app.transaction { transaction async throws(StoreError) in
                _ = try await transaction.perform([Statements.holdLease(values: lease.values)])
                #expect(try await store.takeLease(holder: "b") == nil)
                #expect(try await store.leaseStatuses().map(\.isInForce) == [true])
            }
        }
    }

    @Test("a statement sent by a lost holder releases the lease in time for another")
    func sent() async throws {
        let patience = PostgreSQLStore.TransactionTimeouts.leading
        // Half a second of the five is for the lease request and one for the write.
        #expect(patience.statement + patience.idle <= .milliseconds(3_500))
        #expect(patience.lock <= patience.statement)
        try await SharedStand.with { stand async throws in
            // With real time limits, which end it.
            let store = PostgreSQLStore(pool: stand.app)
            let lease = try #require(try await stand.store.takeLease(holder: "a"))
            try await stand.app.transaction { transaction async throws(StoreError) in
                _ = try await transaction.perform([Statements.lockCandles()])
                let code = await StoreSubject.code { () throws(StoreError) in
                    try await store.fenced(by: lease).saveCandles(Self.candles(1, at: 1))
                }
                #expect(code == .busy)
            }
            let error = await failure {
                _ = try await stand.app.perform(
                    [
                        store.settle(.leading), Statements.holdLease(values: lease.values),
                        PostgreSQLStatement("SELECT pg_sleep(3600)::text"),
                    ],
                    as: .writing,
                    within: .seconds(60)
                )
            }
            #expect(error?.code == .busy)
            try await stand.database.execute(
                "UPDATE hoga.instance_lease SET expires_at = clock_timestamp()"
            )
            let next = try await stand.store.takeLease(holder: "b")
            #expect(next?.epoch == lease.epoch + 1)
        }
    }

    @Test("a write left idle releases the lease")
    func leftAlone() async throws {
        try await SharedStand.with { stand async throws in
            // With real time limits, which end it.
            let store = PostgreSQLStore(pool: stand.app)
            let lease = try #require(try await stand.store.takeLease(holder: "a"))
            let error = await failure {
                try await stand.app.transaction { transaction async throws(StoreError) in
                    _ = try await transaction.perform([
                        store.settle(.short), Statements.holdLease(values: lease.values),
                    ])
                    try await stand.owner.write(
                        "UPDATE hoga.instance_lease SET expires_at = clock_timestamp()"
                    )
                    // As after a suspension: nothing is sent for longer than the server waits.
                    var next: LeaseDTO?
                    while next == nil {
                        next = try? await store.takeLease(holder: "b")
                    }
                    #expect(next?.epoch == lease.epoch + 1)
                    _ = try await transaction.perform([
                        Statements.noteReading(.text("live"), .text("names"), .time(1))
                    ])
                }
            }
            #expect(error?.code == .unavailable)
            #expect(try await store.names(feed: "live") == nil)
        }
    }
}
