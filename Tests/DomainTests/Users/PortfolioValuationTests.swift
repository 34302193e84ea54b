import TestSupport
import Testing

@testable import Domain

@Suite("A portfolio is valued to the last digit, and its shares sum to exactly 100.00")
struct PortfolioValuationTests {
    @Test("a random portfolio equals a reference model in whole numbers", arguments: 0..<8)
    func property(seed: UInt64) throws {
        var samples = PortfolioSamples(seed: seed)
        var seen = PortfolioSamples.Seen()
        for _ in 0..<40 {
            let sample = samples.next()
            let valuation = PortfolioValuation(sample.holdings, cash: sample.cash, on: sample.board)
            let naive = NaivePortfolio(sample.holdings, cash: sample.cash, prices: sample.prices)
            try expect(valuation, naive)
            seen.note(valuation)
        }
        #expect(seen.isEverything, "\(seen)")
    }

    private func expect(_ valuation: PortfolioValuation, _ naive: NaivePortfolio) throws {
        #expect(valuation.lines.count == naive.lines.count)
        for expected in naive.lines {
            let line = try #require(
                valuation.lines.first { $0.holding.asset == expected.asset }
            )
            #expect(line.value?.naive == expected.value)
            #expect(line.cost?.naive == expected.cost)
            #expect(line.profit?.naive == expected.profit)
            #expect(line.sharePercent?.hundredths == expected.value.map { _ in expected.share })
            let rate = expected.profit.flatMap { profit in
                expected.cost.flatMap { $0.isZero ? nil : NaivePortfolio.rate(profit, of: $0) }
            }
            // A rate may have no room where both amounts have.
            let hasRoom = rate.map { ($0 * .powerOfTen(16)).fitting != nil } ?? false
            #expect(line.profitRatePercent?.hundredths == (hasRoom ? rate : nil))
        }
        #expect(valuation.cashSharePercent?.hundredths == naive.cash.map { _ in naive.cashShare })
        let shares = (valuation.lines.map(\.sharePercent) + [valuation.cashSharePercent])
            .compactMap(\.self)
        let sum = shares.reduce(0) { $0 + $1.units }
        #expect(sum == (naive.total.isZero ? 0 : 100 * FixedDecimal.unitsPerOne))
        #expect(shares.allSatisfy { $0.sign >= 0 && $0.significantFractionDigits <= 2 })
        #expect(valuation.unvalued == naive.lines.filter { $0.value == nil }.map(\.asset).sorted())
        expectTotals(valuation, naive)
        expectOrder(valuation)
    }

    private func expectTotals(_ valuation: PortfolioValuation, _ naive: NaivePortfolio) {
        let isKnown =
            naive.cash != nil || naive.lines.isEmpty || naive.lines.contains { $0.value != nil }
        #expect(valuation.totals.value?.naive == (isKnown ? naive.total.fitting : nil))
        let known = naive.lines.filter { $0.value != nil && $0.cost != nil }
        let cost = known.compactMap(\.cost).reduce(NaiveInteger(0)) { $0 + $1 }
        let value = known.compactMap(\.value).reduce(NaiveInteger(0)) { $0 + $1 }
        guard !known.isEmpty, cost.fitting != nil else {
            #expect(valuation.totals == PortfolioValuation.Totals(value: valuation.totals.value))
            return
        }
        #expect(valuation.totals.cost?.naive == cost)
        #expect(valuation.totals.profit?.naive == (value.fitting == nil ? nil : value - cost))
        guard valuation.totals.profit != nil, !cost.isZero else {
            #expect(valuation.totals.profitRatePercent == nil)
            return
        }
        let rate = NaivePortfolio.rate(value - cost, of: cost)
        let hasRoom = (rate * .powerOfTen(16)).fitting != nil
        #expect(valuation.totals.profitRatePercent?.hundredths == (hasRoom ? rate : nil))
    }

    private func expectOrder(_ valuation: PortfolioValuation) {
        for (line, next) in zip(valuation.lines, valuation.lines.dropFirst()) {
            switch (line.value, next.value) {
            case (let value?, let nextValue?):
                let isTie = value == nextValue
                #expect(isTie ? line.holding.asset < next.holding.asset : value > nextValue)
            case (.some, .none): break
            case (.none, .none): #expect(line.holding.asset < next.holding.asset)
            case (.none, .some): Issue.record("a coin without a value stands before one with")
            }
        }
    }

    @Test("the contract's example has the documented figures")
    func example() throws {
        let valuation = PortfolioValuation(
            [.sample("BTC", "0.05", "120000000")],
            cash: "1500000",
            on: .priced(["BTC_KRW": "143210000"])
        )
        let line = try #require(valuation.lines.first)
        #expect(line.market == "BTC_KRW" && line.price == "143210000")
        #expect(line.value == "7160500" && line.cost == "6000000" && line.profit == "1160500")
        #expect(line.profitRatePercent == "19.34" && line.sharePercent == "82.68")
        #expect(valuation.cashSharePercent == "17.32")
        #expect(valuation.totals.value == "8660500" && valuation.totals.cost == "6000000")
        #expect(valuation.totals.profit == "1160500")
        #expect(valuation.totals.profitRatePercent == "19.34")
        #expect(valuation.unvalued.isEmpty)
    }

    @Test(
        "rounding remainders of 100.00 go to larger values, then alphabetically, then to the cash",
        arguments: [
            (["1", "1", "1"], nil, "33.34 33.33 33.33 | -"),
            (["1", "1"], "1", "33.34 33.33 | 33.33"),
            (["1"], "2", "33.33 | 66.67"),
            (["2"], "1", "66.67 | 33.33"),
            (["1", "1", "1", "1", "1", "1"], "1", "14.29 14.29 14.29 14.29 14.28 14.28 | 14.28"),
            (["1"], nil, "100 | -"),
            ([], "5", " | 100"),
            ([], nil, " | -"),
            ([], "0", " | 0"),
            (["0.000000000000000001"], "0", "100 | 0"),
            (["0.000000000000000001"], "100000000000000000000", "0 | 100"),
            (["100000000000000000000", "100000000000000000000"], "1", "50 50 | 0"),
        ] as [([FixedDecimal], FixedDecimal?, String)]
    )
    func leftovers(quantities: [FixedDecimal], cash: FixedDecimal?, expected: String) {
        let symbols = ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF"]
        let holdings = zip(symbols, quantities).map { Holding.sample($0, $1, nil) }
        let board = MarketBoard.priced(
            Dictionary(
                uniqueKeysWithValues: symbols.map { (MarketID(stringLiteral: $0 + "_KRW"), "1") }
            )
        )
        // The order of entry does not matter.
        for entered in [holdings, holdings.reversed()] {
            let valuation = PortfolioValuation(entered, cash: cash, on: board)
            let texts = (valuation.lines.map(\.sharePercent) + [valuation.cashSharePercent])
                .map { $0?.canonicalText ?? "-" }
            #expect(texts.dropLast().joined(separator: " ") + " | \(texts.last!)" == expected)
        }
    }

    @Test("values that round to zero have a share of zero and cause no division by zero")
    func worthless() {
        let tiny: FixedDecimal = "0.000000000000000001"
        let valuation = PortfolioValuation(
            [.sample("AAA", tiny, tiny), .sample("BBB", tiny, "1")],
            cash: nil,
            on: .priced(["AAA_KRW": "0.1", "BBB_KRW": "0.5"])
        )
        #expect(valuation.lines.map(\.value) == [.zero, .zero])
        #expect(valuation.lines.map(\.sharePercent) == [.zero, .zero])
        #expect(valuation.cashSharePercent == nil && valuation.totals.value == .zero)
        // The cost of the first is zero, too: no rate.
        #expect(valuation.lines.map(\.profitRatePercent) == [nil, "-100"])
        #expect(valuation.unvalued.isEmpty)
    }

    @Test("a coin is valued by its won market, even without a price, else by its bitcoin market")
    func markets() {
        let board = MarketBoard.priced([
            "BTC_KRW": "100000000", "ETH_KRW": nil, "ETH_BTC": "0.05", "SOL_BTC": "0.002",
        ])
        let valuation = PortfolioValuation(
            [
                .sample("ETH", "1", "5"), .sample("SOL", "3", "100000"), .sample("BTC", "1", nil),
                .sample("NONE", "1", nil),
            ],
            cash: nil,
            on: board
        )
        #expect(valuation.lines.map(\.holding.asset.symbol) == ["BTC", "SOL", "ETH", "NONE"])
        #expect(valuation.lines.map(\.market) == ["BTC_KRW", "SOL_BTC", nil, nil])
        #expect(valuation.lines.map(\.price) == ["100000000", "200000", nil, nil])
        #expect(valuation.unvalued.map(\.symbol) == ["ETH", "NONE"])
        // A coin without a value counts in no total, nor does its cost.
        #expect(valuation.totals.cost == "300000" && valuation.totals.profit == "300000")
        #expect(valuation.lines[2].cost == "5" && valuation.lines[2].profit == nil)
    }

    @Test(
        "a suspended or delisted market values a coin by its last price, in every process",
        arguments: [[], ["OLD_KRW"]] as [[MarketID]]
    )
    func notTraded(suspended: [MarketID]) {
        let holdings = [Holding.sample("OLD", "2", nil), .sample("NONE", "1", nil)]
        let bitcoin = ListingEntry("BTC_KRW", price: "100")
        let old = ListingEntry("OLD_KRW", price: "7")
        let without = Listing(
            quote: .krw,
            at: .noon(10),
            entries: [bitcoin],
            suspended: suspended + ["NONE_KRW"],
            unreadable: []
        )
        // One process saw it traded, the other was started later.
        var seen = MarketBoard(kind: .live)
        seen.apply(.listing(Listing(at: .noon(), [bitcoin, old])), at: .noon())
        var stored = MarketBoard(kind: .live)
        let close = StoredPrice(market: "OLD_KRW", price: "7", at: .noon(), tradeValue24h: nil)
        stored.applyReference(.closes([close], of: .live), at: .noon(5))
        for isOnline in [false, true] {
            for var board in [seen, stored] {
                if isOnline { board.apply(.listing(without), at: .noon(10)) }
                let valuation = PortfolioValuation(holdings, cash: "1", on: board)
                #expect(valuation.totals.value == "15")
                #expect(valuation.lines.map(\.market) == ["OLD_KRW", nil])
                #expect(valuation.unvalued.map(\.symbol) == ["NONE"])
                let market = board.marketOrPlaceholder("OLD_KRW", now: .noon(11))
                #expect(market?.isTrading == !isOnline)
            }
        }
    }

    @Test(
        "a suspended won market that never had a price leaves the valuation to the bitcoin market"
    )
    func neverPriced() {
        var board = MarketBoard.priced(["BTC_KRW": "100", "OLD_BTC": "0.5"])
        board.apply(
            .listing(
                Listing(
                    quote: .krw,
                    at: .noon(10),
                    entries: [ListingEntry("BTC_KRW", price: "100")],
                    suspended: ["OLD_KRW"],
                    unreadable: []
                )
            ),
            at: .noon(10)
        )
        let valuation = PortfolioValuation([.sample("OLD", "2", nil)], cash: nil, on: board)
        #expect(valuation.totals.value == "100")
        #expect(valuation.lines.first?.market == "OLD_BTC")
    }

    @Test("a value that overflows is unknown, and the other values are unaffected")
    func overflow() {
        let huge = FixedDecimal(units: .max)
        let valuation = PortfolioValuation(
            [.sample("AAA", huge, "2"), .sample("BBB", huge, "1"), .sample("CCC", huge, "0.5")],
            cash: huge,
            on: .priced(["AAA_KRW": "2", "BBB_KRW": "1", "CCC_KRW": "1"])
        )
        #expect(valuation.unvalued.map(\.symbol) == ["AAA"])
        #expect(valuation.lines.map(\.sharePercent) == ["33.34", "33.33", nil])
        #expect(valuation.cashSharePercent == "33.33")
        #expect(valuation.totals.value == nil && valuation.totals.profit == nil)
    }
}

extension FixedDecimal {
    fileprivate var hundredths: NaiveInteger {
        naive.divided(by: .powerOfTen(16), rounding: .truncate)
    }
}
