import Domain
import Foundation
import TestSupport
import Testing

@testable import ViewStates

@Suite("A row has a market's known values as figures and text, and null for unknown ones")
struct MarketRowPresenterTests {
    @Test("the data of the contract's example gives the example's row")
    func example() throws {
        var sample = SampleBoard()
        sample.list(.krw, [.sample("BTC_KRW", price: "143208000", tradeValue: "1", "-1")])
        sample.list(.btc, [])
        sample.apply(.feed(.live))
        let frame = TickerFrame(
            "BTC_KRW",
            .hours24,
            at: sample.now,
            open: "145155000",
            close: "143209000",
            value: "98123456789.5123"
        )
        sample.apply(.ticker(frame))
        // 21:03:11.051220, received 11 milliseconds later.
        sample.wait(.microseconds(1_051_220))
        let executedAt = sample.now
        sample.wait(.microseconds(10_893))
        sample.apply(.trade(Trade("BTC_KRW", price: "143210000", at: executedAt)))

        let document = try JSONDecoder()
            .decode(MarketListDocument.self, from: Data(PackageResources.market_list_json))
        var expected = try #require(document.state.rows.first)
        // The exchange's marks are not read yet, so nothing is claimed of them.
        expected.marks = MarksViewState(investmentWarning: nil, alerts: [], state: .trading)
        #expect(row("BTC_KRW", of: sample, rank: 1) == expected)
        let health = HealthPresenter.present(
            sample.board.feed,
            hasMarkets: true,
            now: sample.now,
            language: .korean
        )
        // Of the example's 480 markets the sample has one.
        var shown = document.state.health
        (shown.known, shown.of) = (nil, nil)
        #expect(health == shown)
    }

    @Test("a market without values has a row with its name and unknown values")
    func unknown() {
        let row = row("NEW_KRW", of: .live())
        var expected = MarketRowViewState(
            market: "NEW_KRW",
            symbol: "NEW",
            quote: "KRW",
            name: .init(ko: nil, en: nil),
            changePeriod: "24H",
            marks: MarksViewState(investmentWarning: nil, alerts: [], state: .trading),
            spokenText: "NEW, 현재가 없음, 변동률 없음, 거래금액 없음"
        )
        expected.noTrade = false
        #expect(row == expected)
        #expect(
            self.row("NEW_KRW", of: .live(), language: .english).spokenText
                == "NEW, price unknown, change unknown, trade value unknown"
        )
    }

    @Test("a bitcoin market has figures in bitcoin and in won")
    func bitcoinMarket() {
        let row = row("ETH_BTC", of: .live(), rank: 2)
        #expect(row.quote == "BTC" && row.symbol == "ETH" && row.rank == 2)
        #expect(row.price == "0.0315")
        #expect(row.priceText == "0.03150000")
        #expect(row.priceKRW == "4511115")
        #expect(row.tradeValue24h == "400.1239")
        #expect(row.tradeValue24hKRW == "57301743719")
        #expect(row.tradeValueText == "400.123 BTC")
        #expect(row.changeAmount == nil && row.changeAmountText == nil)
        #expect(
            row.spokenText == "이더리움, 현재가 0.03150000 BTC, 변동률 없음, 거래금액 400.123 BTC"
        )
    }

    @Test("without a price of bitcoin a bitcoin market has no figures in won")
    func bitcoinWithoutWon() {
        var sample = SampleBoard()
        sample.list(.btc, [.sample("ETH_BTC", price: "0.0315", tradeValue: "400", "1")])
        let row = row("ETH_BTC", of: sample)
        #expect(row.price != nil && row.priceKRW == nil)
        #expect(row.tradeValue24h != nil && row.tradeValue24hKRW == nil)
        #expect(row.tradeValueText == "400.000 BTC")
    }

    @Test("a suspended market keeps its last figures and is marked")
    func suspended() {
        var sample = SampleBoard.live()
        sample.list(
            .krw,
            [.sample("BTC_KRW", price: "143210000", tradeValue: "1", "0")],
            suspended: ["XRP_KRW"]
        )
        let row = row("XRP_KRW", of: sample)
        #expect(row.marks.state == .suspended)
        #expect(row.priceText == "743.5")
        #expect(
            row.spokenText == "리플, 현재가 743.5원, 변동률 0.00%, 거래금액 999,999원, 거래중단"
        )
        #expect(
            self.row("XRP_KRW", of: sample, language: .english).spokenText
                == "Ripple, price 743.5 KRW, change 0.00%, trade value 999,999 KRW, "
                + "trading suspended"
        )
        #expect(self.row("BTC_KRW", of: sample).marks.state == .trading)
    }

    @Test("a market without a trade in the period has a change of zero and is marked")
    func noTrade() {
        var sample = SampleBoard.live()
        sample.wait(.seconds(1_801))
        let quiet = row("ETH_KRW", of: sample, period: .minutes30)
        #expect(quiet.noTrade)
        #expect(quiet.changeRatePercent == .zero && quiet.changeRateText == "0.00%")
        #expect(quiet.changeAmount == .zero && quiet.changeAmountText == "0")
        #expect(quiet.priceDirection == .flat)
        let day = row("ETH_KRW", of: sample, period: .hours24)
        #expect(!day.noTrade && day.changeRateText == "+0.21%" && day.priceDirection == .up)
    }

    @Test("a row has the name of the change period", arguments: ChangePeriod.allCases)
    func period(period: ChangePeriod) {
        #expect(row("BTC_KRW", of: .live(), period: period).changePeriod == period.rawValue)
    }

    @Test(
        "the direction is that of the rounded rate",
        arguments: [
            ("0.01", .up), ("-0.01", .down), ("0", .flat), ("0.004", .flat), ("-0.004", .flat),
            ("0.005", .up), ("-0.005", .down),
        ] as [(FixedDecimal, DirectionViewState)]
    )
    func direction(rate: FixedDecimal, direction: DirectionViewState) {
        var sample = SampleBoard()
        sample.list(.krw, [.sample("BTC_KRW", price: "100", tradeValue: nil, rate)])
        let row = row("BTC_KRW", of: sample)
        #expect(row.priceDirection == direction)
        #expect(row.changeRatePercent == rate)
    }

    @Test("the tick direction is known from the second price on")
    func tick() {
        var sample = SampleBoard()
        sample.list(.krw, [.sample("BTC_KRW", price: "100", tradeValue: nil, nil)])
        #expect(row("BTC_KRW", of: sample).tickDirection == nil)
        let steps: [(FixedDecimal, DirectionViewState)] = [
            ("101", .up), ("101", .flat), ("99", .down),
        ]
        for (price, direction) in steps {
            sample.wait(.seconds(1))
            sample.trade("BTC_KRW", at: price)
            #expect(row("BTC_KRW", of: sample).tickDirection == direction)
        }
    }

    @Test("a coin without an English name is spoken by its symbol in English")
    func koreanNameOnly() {
        var sample = SampleBoard()
        sample.list(.krw, [.sample("KOR_KRW", price: "1", tradeValue: nil, nil)])
        #expect(row("KOR_KRW", of: sample).name == .init(ko: "한글이름", en: nil))
        #expect(row("KOR_KRW", of: sample).spokenText.hasPrefix("한글이름, "))
        let english = row("KOR_KRW", of: sample, language: .english)
        #expect(english.spokenText.hasPrefix("KOR, price 1.000 KRW, "))
    }

    @Test("coins with the same Korean name are spoken with their symbols")
    func ambiguousNames() {
        var sample = SampleBoard()
        sample.list(
            .krw,
            [
                .sample("AAA_KRW", price: "1", tradeValue: nil, nil),
                .sample("BBB_KRW", price: "1", tradeValue: nil, nil),
                .sample("XRP_KRW", price: "1", tradeValue: nil, nil),
            ]
        )
        #expect(row("AAA_KRW", of: sample).spokenText.hasPrefix("같은이름 (AAA), "))
        #expect(row("BBB_KRW", of: sample).spokenText.hasPrefix("같은이름 (BBB), "))
        #expect(row("XRP_KRW", of: sample).spokenText.hasPrefix("리플, "))
        // The names themselves stay as they are.
        #expect(row("AAA_KRW", of: sample).name == .init(ko: "같은이름", en: "Same"))
    }

    private func row(
        _ market: MarketID,
        of sample: SampleBoard,
        rank: Int? = nil,
        period: ChangePeriod = .hours24,
        language: Language = .korean
    ) -> MarketRowViewState {
        let presenter = MarketRowPresenter(
            board: sample.board,
            names: .sample,
            period: period,
            language: language,
            now: sample.now
        )
        guard let state = sample.board.market(market) else {
            preconditionFailure("\(market) is not on the board")
        }
        return presenter.present(state, rank: rank)
    }
}
