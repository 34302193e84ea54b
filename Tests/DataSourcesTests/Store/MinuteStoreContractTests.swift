import DataSourceContracts
import TestSupport
import Testing

@Suite("Roll-up contract of every shared store")
struct MinuteStoreContractTests {
    private typealias Row = StoredCandlesDTO.Row
    private typealias Span = StoredCandlesDTO.Span

    private static let minute: Int64 = 60_000_000
    /// 00:00 in Seoul: 2025-06-10 15:00 UTC.
    private static let midnight: Int64 = 1_749_567_600_000_000

    private static func series(_ market: String, _ interval: String) -> CandleSeriesDTO {
        CandleSeriesDTO(feed: "live", market: market, interval: interval)
    }

    private static func row(
        _ minute: Int64,
        price: Int = 5,
        volume: String = "1",
        fetchedAt: Int64 = 0
    ) -> Row {
        Row(
            openTime: midnight + minute * Self.minute,
            open: "\(price)",
            high: "\(price + 2)",
            low: "\(price - 2)",
            close: "\(price + 1)",
            volume: volume,
            fetchedAt: midnight + (minute + 1) * Self.minute + fetchedAt
        )
    }

    private static func span(_ from: Int64, _ to: Int64) -> Span {
        Span(from: midnight + from * minute, to: midnight + to * minute)
    }

    private static func recording(
        _ rows: [(String, Row)],
        _ covered: [Span]
    ) -> MinuteCandleBatchDTO {
        MinuteCandleBatchDTO(
            feed: "live",
            rows: rows.map { .init(market: $0.0, candle: $0.1) },
            covered: covered
        )
    }

    private static func until(_ minute: Int64) -> Int64 { midnight + minute * Self.minute }

    /// Runs the body with a store and a long lease.
    private static func with(
        _ subject: SharedSubject,
        _ body: (any MarketStoreSource & MinuteStoreSource) async throws -> Void
    ) async throws {
        try await subject.with { store, _ async throws in
            let lease = try #require(
                try await store.takeLease(holder: "a", feed: "live", for: .seconds(1_800))
            )
            try await body(store.fenced(by: lease))
        }
    }

    @Test(
        "a bucket is built once it has closed and is covered completely",
        arguments: SharedSubject.allCases
    )
    func whole(subject: SharedSubject) async throws {
        try await Self.with(subject) { store async throws in
            let rows = [("A", Self.row(0, price: 5)), ("A", Self.row(2, price: 9, volume: "0.25"))]
            try await store.saveMinutes(Self.recording(rows, [Self.span(0, 2)]))
            #expect(try await store.rollUp(feed: "live", until: Self.until(9)) == 0)
            try await store.saveMinutes(Self.recording([], [Self.span(2, 3)]))
            #expect(try await store.rollUp(feed: "live", until: Self.until(3) - 1) == 0)
            #expect(try await store.rollUp(feed: "live", until: Self.until(3)) == 1)
            #expect(try await store.rollUp(feed: "live", until: Self.until(3)) == 0)
            let made = try await store.candles(of: Self.series("A", "3m"), newest: 9)
            #expect(
                made.rows == [
                    Row(
                        openTime: Self.midnight,
                        open: "5",
                        high: "11",
                        low: "3",
                        close: "10",
                        volume: "1.25",
                        fetchedAt: rows[1].1.fetchedAt
                    )
                ]
            )
            #expect(made.spans == [Self.span(0, 3)])
            #expect(try await store.coveredMinutes(feed: "live") == [Self.span(0, 3)])
            let minutes = try await store.candles(of: Self.series("B", "1m"), newest: 9)
            #expect(minutes.rows == [])
            #expect(minutes.spans == [Self.span(0, 3)])
        }
    }

    @Test(
        "days, and halves and quarters of them, begin at midnight in Seoul",
        arguments: SharedSubject.allCases
    )
    func grid(subject: SharedSubject) async throws {
        try await Self.with(subject) { store async throws in
            let rows = [-1, 0, 359, 360, 719, 720, 1_439, 1_440].map { ("A", Self.row($0)) }
            let covered = [Self.span(-1_440, 2_880)]
            try await store.saveMinutes(Self.recording(rows, covered))
            _ = try await store.rollUp(feed: "live", until: Self.until(2_880))
            for (interval, opens) in [
                ("24h", [-1_440, 0, 1_440]), ("12h", [-720, 0, 720, 1_440]),
                ("6h", [-360, 0, 360, 720, 1_080, 1_440]),
                ("1h", [-60, 0, 300, 360, 660, 720, 1_380, 1_440]),
            ] as [(String, [Int64])] {
                let made = try await store.candles(of: Self.series("A", interval), newest: 99)
                #expect(made.rows.map(\.openTime) == opens.map { Self.until($0) }, "\(interval)")
                #expect(made.spans == covered)
            }
        }
    }

    @Test("a late minute rebuilds its buckets", arguments: SharedSubject.allCases)
    func late(subject: SharedSubject) async throws {
        try await Self.with(subject) { store async throws in
            let rows = [("A", Self.row(0)), ("B", Self.row(1))]
            try await store.saveMinutes(Self.recording(rows, [Self.span(0, 30)]))
            #expect(try await store.rollUp(feed: "live", until: Self.until(30)) == 8)
            try await store.saveMinutes(Self.recording([("A", Self.row(4, volume: "2"))], []))
            #expect(try await store.rollUp(feed: "live", until: Self.until(30)) == 4)
            let made = try await store.candles(of: Self.series("A", "10m"), newest: 9)
            #expect(made.rows.map(\.volume) == ["3"])
            // Repeated in every way.
            var again = Self.row(4, volume: "7", fetchedAt: 1)
            try await store.saveCandles(
                .init(series: Self.series("A", "1m"), rows: [again], spans: [])
            )
            #expect(try await store.rollUp(feed: "live", until: Self.until(30)) == 4)
            again.fetchedAt -= 1
            try await store.saveMinutes(Self.recording([("A", again)], []))
            #expect(try await store.rollUp(feed: "live", until: Self.until(30)) == 0)
        }
    }

    @Test("a candle fetched after its minutes stays", arguments: SharedSubject.allCases)
    func fetchedStands(subject: SharedSubject) async throws {
        try await Self.with(subject) { store async throws in
            var fetched = Self.row(0, price: 77)
            fetched.fetchedAt = Self.until(4)
            let series = Self.series("A", "3m")
            try await store.saveCandles(.init(series: series, rows: [fetched], spans: []))
            let rows = [("A", Self.row(0)), ("A", Self.row(2))]
            try await store.saveMinutes(Self.recording(rows, [Self.span(0, 3)]))
            #expect(try await store.rollUp(feed: "live", until: Self.until(5)) == 0)
            #expect(try await store.candles(of: series, newest: 9).rows == [fetched])
            let newer = Self.row(1, fetchedAt: 10 * Self.minute)
            try await store.saveMinutes(Self.recording([("A", newer)], []))
            #expect(try await store.rollUp(feed: "live", until: Self.until(5)) == 1)
            #expect(try await store.candles(of: series, newest: 9).rows.map(\.volume) == ["3"])
        }
    }

    @Test(
        "backfilled minutes of one market count as covered",
        arguments: SharedSubject.allCases
    )
    func backfilled(subject: SharedSubject) async throws {
        try await Self.with(subject) { store async throws in
            let rows = [("A", Self.row(0)), ("B", Self.row(0))]
            try await store.saveMinutes(Self.recording(rows, [Self.span(0, 1), Self.span(2, 3)]))
            #expect(try await store.rollUp(feed: "live", until: Self.until(3)) == 0)
            let read = StoredCandlesDTO(
                series: Self.series("A", "1m"),
                rows: [Self.row(1)],
                spans: [Self.span(1, 2)]
            )
            try await store.saveCandles(read)
            #expect(try await store.rollUp(feed: "live", until: Self.until(3)) == 1)
            let made = try await store.candles(of: Self.series("A", "3m"), newest: 9)
            #expect(made.rows.map(\.volume) == ["2"])
            #expect(made.spans == [Self.span(0, 3)])
            let other = try await store.candles(of: Self.series("B", "3m"), newest: 9)
            #expect(other.rows == [] && other.spans == [])
        }
    }
}
