import DataSourceContracts
import TestSupport
import Testing

@Suite("Market data contract of every store", .tags(.manyCases))
struct MarketStoreContractTests {
    private typealias Row = StoredCandlesDTO.Row
    private typealias Span = StoredCandlesDTO.Span

    private static let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: "10m")

    private static func row(_ time: Int64, close: String = "4", fetchedAt: Int64 = 1) -> Row {
        Row(
            openTime: time,
            open: "1",
            high: "5",
            low: "0.5",
            close: close,
            volume: "0.001",
            fetchedAt: fetchedAt
        )
    }

    private static func reading(
        _ rows: [Row],
        spans: [Span] = [],
        of series: CandleSeriesDTO = series
    ) -> StoredCandlesDTO {
        StoredCandlesDTO(series: series, rows: rows, spans: spans)
    }

    @Test("every column of a candle is read back", arguments: StoreSubject.allCases)
    func everyColumn(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.market
            let decimals = difficultDecimals
            let rows = decimals.indices.map { index in
                let decimal = { (offset: Int) in decimals[(index + offset) % decimals.count] }
                return Row(
                    openTime: Int64(index) - 8,
                    open: decimal(0),
                    high: decimal(1),
                    low: decimal(2),
                    close: decimal(3),
                    volume: decimal(4),
                    fetchedAt: storedTimes.upperBound - Int64(index)
                )
            }
            let span = Span(from: storedTimes.lowerBound, to: storedTimes.upperBound)
            for text in difficultTexts {
                let series = CandleSeriesDTO(feed: text, market: text + "1", interval: text + "2")
                let reading = Self.reading(rows, spans: [span], of: series)
                try await store.saveCandles(reading)
                let kept = try await store.candles(of: series, newest: 99)
                #expect(bytes(of: kept) == bytes(of: reading))
            }
        }
    }

    @Test("the newest candles are returned in order of time", arguments: StoreSubject.allCases)
    func newest(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.market
            try await store.saveCandles(Self.reading([Self.row(30), Self.row(40)]))
            try await store.saveCandles(Self.reading([Self.row(10), Self.row(20)]))
            for (count, times) in [(3, [20, 30, 40]), (9, [10, 20, 30, 40]), (0, []), (-1, [])] {
                let kept = try await store.candles(of: Self.series, newest: count)
                #expect(kept.rows.map(\.openTime) == times.map { Int64($0) })
            }
            for (end, times) in [(30, [10, 20]), (31, [20, 30]), (10, []), (99, [30, 40])] {
                let kept = try await store.candles(of: Self.series, newest: 2, before: Int64(end))
                #expect(kept.rows.map(\.openTime) == times.map { Int64($0) }, "before \(end)")
            }
        }
    }

    @Test("series are separate", arguments: StoreSubject.allCases)
    func apart(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.market
            var others = [Self.series, Self.series, Self.series]
            others[0].feed = "simulated"
            others[1].market = "BTC_BTC"
            others[2].interval = "1m"
            for series in others {
                try await store.saveCandles(
                    Self.reading([Self.row(1)], spans: [.init(from: 0, to: 9)], of: series)
                )
            }
            #expect(try await store.candles(of: Self.series, newest: 9) == Self.reading([]))
        }
    }

    @Test(
        "the later of two answers for a candle is kept, or that of the newer call if equally late",
        arguments: StoreSubject.allCases,
        [(5, 6, "2"), (6, 5, "1"), (5, 5, "2"), (-1, 0, "2")] as [(Int64, Int64, String)]
    )
    func laterStands(subject: StoreSubject, example: (Int64, Int64, String)) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.market
            let old = Self.row(10, close: "1", fetchedAt: example.0)
            let new = Self.row(10, close: "2", fetchedAt: example.1)
            try await store.saveCandles(Self.reading([old]))
            try await store.saveCandles(Self.reading([new, Self.row(20)]))
            let kept = try await store.candles(of: Self.series, newest: 9).rows
            #expect(kept == [example.2 == "2" ? new : old, Self.row(20)])
        }
    }

    @Test("joined spans equal a set of moments", arguments: StoreSubject.allCases)
    func spans(subject: StoreSubject) async throws {
        for seed in Cases.seeds(4, of: 10) {
            var random = SeededGenerator(seed: seed)
            try await StoreStand.with(subject) { stand async throws in
                let store = stand.market
                var covered = Set<Int64>()
                for _ in 0..<40 {
                    let from = Int64.random(in: 0...60, using: &random)
                    let to = from + Int64.random(in: -1...8, using: &random)
                    if from < to { covered.formUnion(from..<to) }
                    try await store.saveCandles(
                        Self.reading([], spans: [.init(from: from, to: to)])
                    )
                    if Int.random(in: 0..<9, using: &random) == 0 {
                        let time = Int64.random(in: 0...10, using: &random)
                        covered = covered.filter { $0 >= time }
                        _ = try await store.removeCandles(intervals: ["10m"], openingBefore: time)
                    }
                    let kept = try await store.candles(of: Self.series, newest: 0).spans
                    #expect(kept == Self.runs(of: covered), "seed \(seed)")
                }
            }
        }
    }

    /// The runs of consecutive moments in a set.
    private static func runs(of moments: Set<Int64>) -> [Span] {
        moments.sorted().reduce(into: []) { runs, moment in
            if runs.last?.to == moment {
                runs[runs.count - 1].to += 1
            } else {
                runs.append(Span(from: moment, to: moment + 1))
            }
        }
    }

    @Test("old candles of the given intervals only are removed", arguments: StoreSubject.allCases)
    func removal(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.market
            for feed in ["live", "simulated"] {
                for interval in ["1m", "10m", "24h"] {
                    let series = CandleSeriesDTO(feed: feed, market: "A_KRW", interval: interval)
                    try await store.saveCandles(
                        Self.reading(
                            [Self.row(10), Self.row(20), Self.row(30)],
                            spans: [.init(from: 5, to: 15), .init(from: 18, to: 40)],
                            of: series
                        )
                    )
                }
            }
            let intervals = ["1m", "24h", "7m"]
            #expect(try await store.removeCandles(intervals: intervals, openingBefore: 20) == 4)
            #expect(try await store.removeCandles(intervals: intervals, openingBefore: 20) == 0)
            #expect(try await store.removeCandles(intervals: [], openingBefore: 99) == 0)
            for (interval, times, spans) in [
                ("1m", [20, 30], [Span(from: 20, to: 40)]),
                ("10m", [10, 20, 30], [Span(from: 5, to: 15), Span(from: 18, to: 40)]),
            ] as [(String, [Int64], [Span])] {
                let series = CandleSeriesDTO(feed: "live", market: "A_KRW", interval: interval)
                let kept = try await store.candles(of: series, newest: 9)
                #expect(kept.rows.map(\.openTime) == times)
                #expect(kept.spans == spans)
            }
        }
    }

    @Test("the later of two last prices is kept", arguments: StoreSubject.allCases)
    func closes(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.market
            let old = [
                StoredPriceDTO(market: "B_KRW", price: "2", at: 5, tradeValue24h: nil),
                StoredPriceDTO(market: "A_KRW", price: "0.0001", at: 7, tradeValue24h: "123.5"),
                StoredPriceDTO(market: "C_KRW", price: "1", at: 5, tradeValue24h: "9"),
            ]
            try await store.savePrices(old, feed: "live")
            let newer = StoredPriceDTO(market: "B_KRW", price: "3", at: 6, tradeValue24h: "8")
            let older = StoredPriceDTO(market: "A_KRW", price: "9", at: 6, tradeValue24h: nil)
            let same = StoredPriceDTO(
                market: "C_KRW",
                price: "4",
                at: 5,
                tradeValue24h: nil,
                isTrading: false
            )
            try await store.savePrices([newer, older, same], feed: "live")
            #expect(try await store.closes(feed: "live") == [old[1], newer, same])
            #expect(try await store.closes(feed: "simulated") == [])
        }
    }

    @Test("names are replaced completely, feed by feed", arguments: StoreSubject.allCases)
    func names(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.market
            #expect(try await store.names(feed: "live") == nil)
            let rows = difficultTexts.map {
                StoredNamesDTO.Row(symbol: $0, korean: $0 + "1", english: $0 + "2")
            }
            try await store.saveNames(StoredNamesDTO(rows: rows, readAt: 8), feed: "live")
            let sorted = rows.sorted { $0.symbol.utf8.lexicographicallyPrecedes($1.symbol.utf8) }
            let kept = try await store.names(feed: "live")
            #expect(bytes(of: kept) == bytes(of: StoredNamesDTO?(.init(rows: sorted, readAt: 8))))
            #expect(try await store.names(feed: "simulated") == nil)
            let nothing = StoredNamesDTO(rows: [], readAt: 7)
            try await store.saveNames(nothing, feed: "live")
            #expect(try await store.names(feed: "live") == nothing)
        }
    }

    @Test("warnings are replaced completely, feed by feed", arguments: StoreSubject.allCases)
    func marks(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.market
            #expect(try await store.marks(feed: "live") == nil)
            let alerts = [
                StoredWarningsDTO.Alert(market: "Z_KRW", type: "PRICE", step: nil, endsAt: 9),
                StoredWarningsDTO.Alert(
                    market: "A_KRW",
                    type: "VOLUME",
                    step: "WARNING",
                    endsAt: nil
                ),
                StoredWarningsDTO.Alert(market: "A_KRW", type: "VOLUME", step: "", endsAt: -1),
            ]
            let marks = StoredWarningsDTO(warned: ["A_KRW", "B_KRW"], alerts: alerts, readAt: 3)
            try await store.saveWarnings(marks, feed: "live")
            #expect(try await store.marks(feed: "live") == marks)
            #expect(try await store.marks(feed: "simulated") == nil)
            let fewer = StoredWarningsDTO(warned: [], alerts: [alerts[1]], readAt: 2)
            try await store.saveWarnings(fewer, feed: "live")
            #expect(try await store.marks(feed: "live") == fewer)
        }
    }
}
