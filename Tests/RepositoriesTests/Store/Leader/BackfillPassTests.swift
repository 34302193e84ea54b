import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Missing minutes are read once for every market, and stored as far as the answer reaches")
struct BackfillPassTests {
    private static func page(_ minutes: [Int], askedAt: Int) -> CandlePage {
        CandlePage(
            market: "BTC_KRW",
            interval: .minute1,
            candles: minutes.map { minute in
                Candle(
                    openTime: .noon(minute * 60),
                    open: "1",
                    high: "1",
                    low: "1",
                    close: "1",
                    volume: "1",
                    origin: .rest
                )
            },
            requestedAt: .noon(askedAt),
            answeredAt: .noon(askedAt)
        )
    }

    private static func span(_ from: Int, _ to: Int) -> Range<Timestamp> {
        .noon(from * 60)..<(.noon(to * 60))
    }

    private static func stored(_ from: Int, _ to: Int) -> StoredCandlesDTO.Span {
        .init(
            from: Timestamp.noon(from * 60).microseconds,
            to: Timestamp.noon(to * 60).microseconds
        )
    }

    @Test("a failed market is repeated after the others, three times in all")
    func attempts() {
        var pass = BackfillPass(
            spans: [Self.span(0, 1)],
            markets: ["BTC_KRW", "ETH_KRW", "XRP_KRW"]
        )
        pass.failed()
        pass.answered(isWhole: true)
        pass.answered(isWhole: true)
        #expect(Array(pass.left) == ["BTC_KRW"])
        pass.failed()
        #expect(pass.isWhole && !pass.isOver)
        pass.failed()
        #expect(pass.isOver)
        #expect(!pass.isWhole)
    }

    @Test("an unlisted market lacks nothing, unless the exchange lists none")
    func unknown() {
        for known in 0...2 {
            var pass = BackfillPass(
                spans: [Self.span(0, 1)],
                markets: ["BTC_KRW", "ETH_KRW", "XRP_KRW"]
            )
            for _ in 0..<known { pass.answered(isWhole: true) }
            for _ in known..<3 { pass.wasUnknown() }
            #expect(pass.isOver)
            #expect(pass.isWhole == (known > 0))
        }
    }

    @Test("missing minutes are those that no span covers")
    func missing() {
        for seed in UInt64(0)..<200 {
            var generator = SeededGenerator(seed: seed)
            let spans = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                let from = Int.random(in: -5...30, using: &generator)
                return (from, from + Int.random(in: 1...9, using: &generator))
            }
            let covered = spans.map { Self.stored($0.0, $0.1) }.joined
            let missing = BackfillPass.missing(in: Self.span(0, 25), covered: covered)
            for minute in -6..<36 {
                let isMissing = missing.contains { $0.contains(.noon(minute * 60)) }
                let isCovered = spans.contains { $0.0 <= minute && minute < $0.1 }
                #expect(isMissing == ((0..<25).contains(minute) && !isCovered), "seed \(seed)")
            }
        }
    }

    @Test("rows outside of the missing minutes are ignored")
    func rows() {
        let page = Self.page([0, 2, 3, 5, 6, 7], askedAt: 60 * 8 + 15)
        let healed = BackfilledMinutes(page, missing: [Self.span(1, 3), Self.span(5, 6)])
        #expect(healed.isWhole)
        let openTimes = [2, 5].map { Timestamp.noon($0 * 60).microseconds }
        #expect(healed.rows.map(\.openTime) == openTimes)
        #expect(healed.spans == [Self.stored(1, 3), Self.stored(5, 6)])
    }

    @Test("a minute whose trades the answer may lack stays missing")
    func unsettled() {
        let page = Self.page([0, 1, 2], askedAt: 60 * 3 + 5)
        let healed = BackfilledMinutes(page, missing: [Self.span(1, 3)])
        #expect(!healed.isWhole)
        #expect(healed.spans == [Self.stored(1, 2)])
    }

    @Test("a market without rows had no trade")
    func noRow() {
        let healed = BackfilledMinutes(Self.page([], askedAt: 60 * 9), missing: [Self.span(1, 3)])
        #expect(healed.isWhole)
        #expect(healed.rows.isEmpty)
        #expect(healed.spans == [Self.stored(1, 3)])
    }

    @Test("a full answer says nothing about the time before it")
    func outOfReach() {
        let page = Self.page(Array(0..<1_500), askedAt: 60 * 1_500 + 30)
        let healed = BackfilledMinutes(page, missing: [Self.span(-9, 2)])
        #expect(!healed.isWhole)
        #expect(healed.spans == [Self.stored(0, 2)])
        let young = BackfilledMinutes(
            Self.page([0, 1, 2, 3], askedAt: 60 * 5),
            missing: [Self.span(-9, 2)]
        )
        #expect(young.isWhole)
    }
}
