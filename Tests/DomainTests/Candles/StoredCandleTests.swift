import TestSupport
import Testing

@testable import Domain

@Suite("Stored candles are shown until REST answers")
struct StoredCandleTests {
    private static let market: MarketID = "XRP_KRW"
    private static let interval = CandleInterval.minute1

    private static func minute(_ number: Int) -> Timestamp { .noon(number * 60) }

    private static func candle(_ minute: Int, _ origin: Candle.Origin) -> Candle {
        Candle(
            openTime: Self.minute(minute),
            open: "1",
            high: "2",
            low: "1",
            close: "2",
            volume: "1",
            origin: origin
        )
    }

    private static func stored(_ minutes: [Int], _ spans: [Range<Int>]) -> CandlePage {
        CandlePage(
            market: market,
            interval: interval,
            candles: minutes.map { candle($0, .store) },
            requestedAt: minute(spans.last?.upperBound ?? 0),
            answeredAt: minute(spans.last?.upperBound ?? 0),
            spans: spans.map { minute($0.lowerBound)..<minute($0.upperBound) }
        )
    }

    private static func rest(_ minutes: [Int], at end: Int) -> CandlePage {
        CandlePage(
            market: market,
            interval: interval,
            candles: minutes.map { candle($0, .rest) },
            requestedAt: minute(end),
            answeredAt: minute(end)
        )
    }

    private static func gap(_ minutes: Range<Int>, _ reason: CandleGap.Reason) -> CandleGap {
        CandleGap(from: minute(minutes.lowerBound), to: minute(minutes.upperBound), reason: reason)
    }

    @Test("gaps between stored spans are missing data, gaps inside have no trades")
    func spans() {
        var series = CandleSeries(interval: Self.interval)
        series.apply(Self.stored([0, 1, 4, 10, 12], [0..<6, 9..<14]), tape: TradeTape())
        let all = Self.minute(0)..<Self.minute(30)
        #expect(
            series.gaps(in: all, known: Self.minute(20)) == [
                Self.gap(2..<4, .noTrade), Self.gap(5..<6, .noTrade), Self.gap(6..<9, .missing),
                Self.gap(9..<10, .noTrade), Self.gap(11..<12, .noTrade),
                Self.gap(13..<14, .noTrade), Self.gap(14..<20, .missing),
            ]
        )
        #expect(series.storedAt == Self.minute(14))
        #expect(!series.isLoaded)
        #expect(series.allSatisfy { $0.origin == .store })
    }

    @Test("REST extends stored candles, which never replace those of REST or stream")
    func joined() {
        for isStoreFirst in [true, false] {
            var series = CandleSeries(interval: Self.interval)
            let rest = Self.rest([12, 14, 20], at: 20)
            let stored = Self.stored([0, 4, 12, 13], [0..<6, 11..<14])
            for page in isStoreFirst ? [stored, rest] : [rest, stored] {
                series.apply(page, tape: TradeTape())
            }
            #expect(series.map(\.openTime) == [0, 4, 12, 14, 20].map(Self.minute))
            #expect(series.map(\.origin) == [.store, .store, .rest, .rest, .rest])
            #expect(series.isLoaded)
            #expect(
                series.gaps(in: Self.minute(0)..<Self.minute(30), known: Self.minute(21)) == [
                    Self.gap(1..<4, .noTrade), Self.gap(5..<6, .noTrade),
                    Self.gap(6..<11, .missing), Self.gap(11..<12, .noTrade),
                    Self.gap(13..<14, .noTrade), Self.gap(15..<20, .noTrade),
                ]
            )
        }
    }

    @Test("a trade before REST opens its own candle after missing data")
    func trade() {
        var series = CandleSeries(interval: Self.interval)
        series.apply(Self.stored([0, 1], [0..<2]), tape: TradeTape())
        series.apply(Trade(Self.market, price: "3", at: Self.minute(5)))
        series.apply(Trade(Self.market, price: "3", at: Self.minute(8)))
        #expect(series.map(\.origin) == [.store, .store, .live, .live])
        let gaps = series.gaps(in: Self.minute(0)..<Self.minute(9), known: Self.minute(9))
        #expect(gaps == [Self.gap(2..<5, .missing), Self.gap(6..<8, .noTrade)])
        series.apply(Self.rest([5, 8], at: 9), tape: TradeTape())
        let after = series.gaps(in: Self.minute(0)..<Self.minute(9), known: Self.minute(9))
        #expect(after == gaps)
    }

    @Test("every empty minute has the reason implied by what was read", arguments: 0..<300)
    func reasons(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var spans: [Range<Int>] = []
        var start = 0
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let length = Int.random(in: 1...8, using: &random)
            spans.append(start..<start + length)
            start += length + Int.random(in: 1...6, using: &random)
        }
        let covered = spans.flatMap { Array($0) }
        let stored = [0] + covered.dropFirst().filter { _ in Bool.random(using: &random) }
        let end = start + Int.random(in: 0...9, using: &random)
        var pages = [Self.stored(stored, spans)]
        var reading: Range<Int>?
        if Bool.random(using: &random) {
            let first = Int.random(in: 0...end, using: &random)
            let rows = [first] + (first + 1..<end + 1).filter { _ in Bool.random(using: &random) }
            reading = first..<end
            pages.append(Self.rest(rows, at: end))
            if Bool.random(using: &random) { pages.reverse() }
        }
        var series = CandleSeries(interval: Self.interval)
        for page in pages { series.apply(page, tape: TradeTape()) }
        let candles = Set(series.map(\.openTime))
        let oldest = min(0, reading?.lowerBound ?? 0)
        let gaps = series.gaps(
            in: Self.minute(oldest)..<Self.minute(end),
            known: Self.minute(end)
        )
        for minute in oldest..<end {
            let time = Self.minute(minute)
            let gap = gaps.first { $0.from <= time && time < $0.to }
            if candles.contains(time) {
                #expect(gap == nil, "minute \(minute)")
            } else {
                let isTold = covered.contains(minute) || reading?.contains(minute) ?? false
                #expect(gap?.reason == (isTold ? .noTrade : .missing), "minute \(minute)")
            }
        }
    }

    @Test("weeks from stored days are known if they were read completely")
    func weeks() {
        // 2026-11-16 is a Monday.
        func day(_ number: Int) -> Timestamp {
            SeoulTime.timestamp(year: 2026, month: 11, day: 2 + number)
        }
        let page = CandlePage(
            market: Self.market,
            interval: .day1,
            candles: [3, 8].map { number in
                var candle = Self.candle(0, .store)
                candle.openTime = day(number)
                return candle
            },
            requestedAt: day(16),
            answeredAt: day(16),
            spans: [day(3)..<day(16), day(20)..<day(22)]
        )
        let weeks = page.folded(to: .week1)
        #expect(weeks.isStored)
        #expect(weeks.candles.map(\.openTime) == [day(0), day(7)])
        #expect(weeks.spans == [day(7)..<day(14)])
    }

    @Test("stored candles do not end a failure, and a board drops those of another feed")
    func board() {
        var board = MarketBoard(kind: .live)
        let interest = DetailInterest(market: Self.market, facet: .candles(Self.interval))
        let failure = FeedFailure(code: .unreachable, detail: "a test", isRetryable: true)
        board.applyDetails(
            .feed(.opened(interest)),
            .feed(.failed(interest, failure, nextRetryAt: .noon(9))),
            .candles(Self.stored([0, 1], [0..<2])),
            at: .noon()
        )
        #expect(board.details[Self.market]?.failures[interest.facet]?.failure == failure)
        #expect(board.details[Self.market]?.candles[Self.interval]?.count == 2)
        #expect(board.detailNeeds.readings == [interest])
        board.apply(.feed(.identified(.simulated)), at: .noon())
        #expect(board.details[Self.market]?.candles[Self.interval]?.isEmpty == true)
        #expect(board.detailNeeds.readings == [interest])
    }
}
