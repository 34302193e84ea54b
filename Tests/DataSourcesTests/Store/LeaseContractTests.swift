import DataSourceContracts
import Synchronization
import TestSupport
import Testing

/// A kind of store shared by several instances.
enum SharedSubject: String, CustomTestStringConvertible, Sendable {
    case memory
    case postgresql
    /// The same, with the oldest schema that this program accepts.
    case postgresqlBefore

    var testDescription: String { rawValue }

    /// The kinds that can be tested here.
    static var allCases: [SharedSubject] {
        [.memory] + (TestDatabase.isAvailable ? [.postgresql] : [])
            + (MigratedDatabase.hasOlder ? [.postgresqlBefore] : [])
    }

    /// Runs the body with an empty store, and a way to let its lease expire.
    func with(
        _ body: (
            _ store: any SharedMarketStoreSource,
            _ runOut: @escaping () async throws -> Void
        ) async throws -> Void
    ) async throws {
        switch self {
        case .memory:
            let clock = StoreClock()
            let store = InMemorySharedStore { clock.now }
            try await body(store) { clock.advance(by: 3_600_000_000) }
        case .postgresql, .postgresqlBefore:
            try await SharedStand.with(schema: self == .postgresql ? .newest : .oldest) {
                stand async throws in
                try await body(stand.store) {
                    try await stand.database.execute(
                        "UPDATE hoga.instance_lease SET expires_at = clock_timestamp()"
                    )
                }
            }
        }
    }
}

/// A kind of store with leases.
enum LeaseSubject: CustomTestStringConvertible, Sendable {
    case market(SharedSubject)
    case alerts(AlertStoreSubject)

    var testDescription: String {
        switch self {
        case .market(let subject): "market data: \(subject.testDescription)"
        case .alerts(let subject): "alerts: \(subject.testDescription)"
        }
    }

    /// Each kind once: PostgreSQL has one table of leases.
    static let allCases: [LeaseSubject] =
        SharedSubject.allCases.map(LeaseSubject.market) + [.alerts(.sqlite), .alerts(.memory)]

    /// Runs the body with an empty store, and a way to let its lease expire.
    func with(
        _ body: (
            _ store: any LeaseSource,
            _ runOut: @escaping () async throws -> Void
        ) async throws -> Void
    ) async throws {
        switch self {
        case .market(let subject):
            try await subject.with { store, runOut async throws in try await body(store, runOut) }
        case .alerts(let subject):
            try await subject.with { stand async throws in
                try await body(stand.store) { try await stand.runOut() }
            }
        }
    }
}

/// The clock of a store.
final class StoreClock: Sendable {
    private let time = Mutex<Int64>(1_700_000_000_000_000)
    var now: Int64 { time.withLock { $0 } }
    func advance(by microseconds: Int64) { time.withLock { $0 += microseconds } }
}

@Suite("Lease contract: one holder at a time writes market data and alerts", .tags(.threads))
struct LeaseContractTests {
    private static let hour = Duration.seconds(3_600)
    private static let candles = candles(of: "live")

    private static func candles(of feed: String) -> StoredCandlesDTO {
        StoredCandlesDTO(
            series: CandleSeriesDTO(feed: feed, market: "BTC_KRW", interval: "10m"),
            rows: [.init(allOf: "1")],
            spans: [.init(from: 0, to: 600_000_000)]
        )
    }

    /// Tries each kind of write, and returns the error codes.
    private static func codes(
        of writer: any MarketStoreSource & MinuteStoreSource,
        feed: String = "live"
    ) async -> [StoreError.Code?] {
        var codes: [StoreError.Code?] = []
        for number in 0..<8 {
            codes.append(
                await StoreSubject.code { () throws(StoreError) in
                    try await write(number, writer, feed)
                }
            )
        }
        return codes
    }

    private static func write(
        _ number: Int,
        _ writer: any MarketStoreSource & MinuteStoreSource,
        _ feed: String
    ) async throws(StoreError) {
        switch number {
        case 0: try await writer.saveCandles(candles(of: feed))
        case 1:
            let rows = [MinuteCandleBatchDTO.Row(market: "BTC_KRW", candle: candles.rows[0])]
            try await writer.saveMinutes(.init(feed: feed, rows: rows, covered: candles.spans))
        case 2:
            let close = StoredPriceDTO(market: "BTC_KRW", price: "1", at: 1, tradeValue24h: nil)
            try await writer.savePrices([close], feed: feed)
        case 3: try await writer.saveNames(.init(rows: [], readAt: 1), feed: feed)
        case 4:
            try await writer.saveWarnings(.init(warned: [], alerts: [], readAt: 1), feed: feed)
        case 5: _ = try await writer.removeCandles(intervals: ["1m"], openingBefore: 0)
        case 6: _ = try await writer.rollUp(feed: feed, until: 0)
        default: try await writer.prepare(at: 1_700_000_000_000_000)
        }
    }

    @Test(
        "a lease is acquired once, renewed, expires, and is acquired again",
        arguments: LeaseSubject.allCases
    )
    func taking(subject: LeaseSubject) async throws {
        try await subject.with { store, runOut async throws in
            let first = try #require(try await store.takeLease(holder: "a"))
            #expect(first.holder == "a")
            #expect(try await store.takeLease(holder: "b") == nil)
            #expect(try await store.renewLease(first, for: Self.hour))
            // The same holder after a restart: its earlier lease is worthless.
            let second = try #require(try await store.takeLease(holder: "a"))
            #expect(second.epoch > first.epoch)
            #expect(try await !store.renewLease(first, for: Self.hour))
            try await runOut()
            #expect(try await !store.renewLease(second, for: Self.hour))
            let third = try #require(try await store.takeLease(holder: "b"))
            #expect(third.epoch > second.epoch)
            #expect(try await store.takeLease(holder: "a") == nil)
        }
    }

    @Test("a released lease is free at once", arguments: LeaseSubject.allCases)
    func release(subject: LeaseSubject) async throws {
        try await subject.with { store, _ async throws in
            let old = try #require(try await store.takeLease(holder: "a"))
            try await store.releaseLease(old)
            let new = try #require(try await store.takeLease(holder: "b"))
            #expect(new.epoch > old.epoch)
            // A former holder releases nothing.
            try await store.releaseLease(old)
            #expect(try await store.renewLease(new, for: Self.hour))
        }
    }

    @Test("only the holder can write", arguments: SharedSubject.allCases)
    func fencing(subject: SharedSubject) async throws {
        try await subject.with { store, runOut async throws in
            for write in 0..<2 {
                let code = await StoreSubject.code { () throws(StoreError) in
                    if write == 0 {
                        try await store.saveCandles(Self.candles)
                    } else {
                        try await store.savePrices([], feed: "live")
                    }
                }
                #expect(code == .fenced)
            }
            let old = try #require(try await store.takeLease(holder: "a"))
            var wrong = old
            wrong.holder = "b"
            let refused = [StoreError.Code?](repeating: .fenced, count: 8)
            #expect(await Self.codes(of: store.fenced(by: wrong)) == refused)
            try await runOut()
            #expect(await Self.codes(of: store.fenced(by: old)) == refused)
            let new = try #require(try await store.takeLease(holder: "b"))
            #expect(await Self.codes(of: store.fenced(by: old)) == refused)
            #expect(try await store.candles(of: Self.candles.series, newest: 9).rows == [])
            #expect(try await store.closes(feed: "live") == [])
            #expect(try await store.names(feed: "live") == nil)
            #expect(await Self.codes(of: store.fenced(by: new)).allSatisfy { $0 == nil })
            #expect(try await store.candles(of: Self.candles.series, newest: 9) == Self.candles)
        }
    }

    @Test(
        "feeds have separate leases, and holding one does not affect others",
        arguments: SharedSubject.allCases
    )
    func feeds(subject: SharedSubject) async throws {
        try await subject.with { store, _ async throws in
            let live = try #require(try await store.takeLease(holder: "a", feed: "live"))
            let other = try #require(try await store.takeLease(holder: "b", feed: "simulated"))
            #expect([live.feed, other.feed] == ["live", "simulated"])
            let refused = try await store.takeLease(holder: "b", feed: "live")
            #expect(refused == nil)
            for lease in [live, other] {
                let foreign = lease == live ? "simulated" : "live"
                let writer = store.fenced(by: lease)
                // Partitions and removal of old candles belong to no feed.
                let codes: [StoreError.Code?] = [
                    .fenced, .fenced, .fenced, .fenced, .fenced, nil, .fenced, nil,
                ]
                #expect(await Self.codes(of: writer, feed: foreign) == codes)
                // It acquires the right feed's lease as well.
                var renamed = lease
                renamed.feed = foreign
                #expect(
                    await Self.codes(of: store.fenced(by: renamed), feed: foreign)
                        == [StoreError.Code?](repeating: .fenced, count: 8)
                )
                #expect(try await !store.renewLease(renamed, for: Self.hour))
                try await store.releaseLease(renamed)
            }
            for feed in ["live", "simulated"] {
                #expect(try await store.names(feed: feed) == nil)
                #expect(try await store.closes(feed: feed) == [])
            }
            for lease in [live, other] {
                #expect(try await store.renewLease(lease, for: Self.hour))
                let writer = store.fenced(by: lease)
                #expect(
                    await Self.codes(of: writer, feed: lease.feed).allSatisfy { $0 == nil }
                )
            }
            #expect(try await store.names(feed: "simulated")?.readAt == 1)
        }
    }

    @Test(
        "a lease that ends implausibly late was written under another clock, and is taken over",
        arguments: LeaseSubject.allCases
    )
    func otherClock(subject: LeaseSubject) async throws {
        try await subject.with { store, _ in
            let ghost = try #require(try await store.takeLease(holder: "ghost"))
            let most = try await store.takeLease(holder: "b", feed: "live", for: .seconds(420))
            #expect(most == nil)
            let taken = try #require(
                try await store.takeLease(holder: "b", feed: "live", for: .seconds(300))
            )
            #expect(taken.epoch == ghost.epoch + 1)
            #expect(try await !store.renewLease(ghost, for: Self.hour))
            #expect(try await store.renewLease(taken, for: .seconds(300)))
        }
    }
}
