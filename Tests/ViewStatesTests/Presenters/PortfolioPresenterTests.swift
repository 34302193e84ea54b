import Domain
import Foundation
import TestSupport
import Testing

@testable import ViewStates

@Suite("A portfolio has holdings, their current value and the coins without a value")
struct PortfolioPresenterTests {
    private let presenter = PortfolioPresenter(names: .sample)

    @Test("the data of the contract's example gives the example's state")
    func example() throws {
        var sample = SampleBoard()
        sample.list(.krw, [.sample("BTC_KRW", price: "143209000", tradeValue: "1", "-1.34")])
        sample.list(.btc, [])
        sample.apply(.feed(.live))
        sample.transfers(["BTC": (true, true)])
        sample.wait(.microseconds(1_151_220))
        let frame = TickerFrame(
            "BTC_KRW",
            .hours24,
            at: sample.now,
            open: "145155000",
            close: "143210000"
        )
        sample.apply(.ticker(frame))
        var record = UserRecord(name: "mina")
        record.profile.value.displayName = "미나"
        record.cash.value = "1500000"
        record.holdings.value = [holding("BTC", "0.05", "120000000")]
        let document = try JSONDecoder()
            .decode(PortfolioDocument.self, from: Data(PackageResources.portfolio_json))
        #expect(presenter.present(sample.snapshot(), record, language: .korean) == document.state)
    }

    @Test("a suspended market values a holding and has no price direction")
    func suspended() throws {
        var sample = SampleBoard()
        sample.list(.krw, [.sample("BTC_KRW", price: "100", tradeValue: "1", "-1.34")])
        var record = UserRecord(name: "local")
        record.holdings.value = [holding("BTC", "2", nil)]
        #expect(
            presenter.present(sample.snapshot(), record, language: .korean).rows[0].priceDirection
                == .down
        )
        sample.list(.krw, [])
        let row = presenter.present(sample.snapshot(), record, language: .korean).rows[0]
        #expect(row.value == "200" && row.priceDirection == nil)
    }

    @Test(
        "cash and total are truncated to won",
        arguments: [("1.5", "1"), ("0.9", "0"), ("1234567.99", "1,234,567")]
    )
    func cash(amount: FixedDecimal, text: String) {
        var record = UserRecord(name: "local")
        record.cash.value = amount
        var sample = SampleBoard()
        let state = presenter.present(sample.snapshot(), record, language: .korean)
        #expect(state.cash.amount == amount)
        #expect(state.cash.amountText == text)
        #expect(state.totals.valueText == text)
    }

    @Test("rows are ordered by value, name and symbol; rows without a value are last")
    func order() {
        var sample = SampleBoard()
        sample.list(
            .krw,
            ["XRP_KRW", "ETH_KRW", "AAA_KRW", "BBB_KRW", "BTC_KRW"].map {
                .sample($0, price: "100", tradeValue: nil, nil)
            }
        )
        var record = UserRecord(name: "local")
        record.holdings.value = [
            holding("XRP", "1", nil), holding("NONE", "5", nil), holding("BBB", "1", nil),
            holding("ETH", "1", nil), holding("AAA", "1", nil), holding("BTC", "2", nil),
            holding("KOR", "9", nil),
        ]
        let state = presenter.present(sample.snapshot(), record, language: .korean)
        // 같은이름, 같은이름, 리플, 이더리움; NONE has no name.
        #expect(
            state.rows.map(\.asset) == ["BTC", "AAA", "BBB", "XRP", "ETH", "NONE", "KOR"]
        )
        #expect(state.unvalued == ["KOR", "NONE"])
        #expect(state.rows.suffix(2).map(\.sharePercent) == [nil, nil])
        let cashShare = state.cash.sharePercent?.units ?? 0
        let sum = state.rows.reduce(cashShare) { $0 + ($1.sharePercent?.units ?? 0) }
        #expect(sum == 100 * FixedDecimal.unitsPerOne)
    }

    @Test("unknown values are nil: prices before the first listing, states once stale")
    func unknown() throws {
        var sample = SampleBoard()
        var record = UserRecord(name: "local")
        record.holdings.value = [holding("BTC", "1", "5")]
        let awaited = presenter.present(sample.snapshot(), record, language: .korean)
        #expect(awaited.health.phase == .loading)
        #expect(awaited.totals == PortfolioViewState.Totals())
        var row = try #require(awaited.rows.first)
        #expect(row.price == nil && row.value == nil && row.valueText == nil && row.cost == "5")
        #expect(row.deposit == nil && row.priceDirection == nil && row.sharePercent == nil)
        sample.transfers(["BTC": (true, false)])
        sample.wait(.seconds(119))
        row = try #require(
            presenter.present(sample.snapshot(), record, language: .korean).rows.first
        )
        #expect(row.deposit == .normal && row.withdrawal == .suspended)
        sample.wait(.seconds(1))
        row = try #require(
            presenter.present(sample.snapshot(), record, language: .korean).rows.first
        )
        #expect(row.deposit == nil && row.withdrawal == nil)
    }

    @Test(
        "amounts are truncated to whole won, and changes have a sign",
        arguments: [
            ("1234567.89", "1,234,567", "+1,234,567"), ("0.9", "0", "0"), ("0", "0", "0"),
            ("-0.9", "0", "0"), ("-1500.5", "-1,500", "-1,500"), ("1", "1", "+1"),
        ] as [(FixedDecimal, String, String)]
    )
    func amounts(amount: FixedDecimal, won: String, change: String) {
        #expect(NumberText.won(amount) == won)
        #expect(NumberText.wonChange(amount) == change)
    }

    @Test("the price direction is over the user's change period")
    func period() {
        var sample = SampleBoard.live()
        sample.wait(.seconds(1))
        for (period, open) in [(.hours24, "143000000"), (.hour1, "144000000")]
            as [(ChangePeriod, FixedDecimal)]
        {
            sample.apply(
                .ticker(
                    TickerFrame("BTC_KRW", period, at: sample.now, open: open, close: "143500000")
                )
            )
        }
        var record = UserRecord(name: "local")
        record.holdings.value = [holding("BTC", "1", nil)]
        #expect(direction(&sample, record) == .up)
        record.settings.value.changePeriod = .hour1
        #expect(direction(&sample, record) == .down)
    }

    private func direction(
        _ sample: inout SampleBoard,
        _ record: UserRecord
    ) -> DirectionViewState? {
        presenter.present(sample.snapshot(), record, language: .korean).rows.first?.priceDirection
    }

    private func holding(
        _ symbol: String,
        _ quantity: FixedDecimal,
        _ averagePrice: FixedDecimal?
    ) -> Holding {
        guard let asset = Asset(symbol: symbol) else {
            preconditionFailure("“\(symbol)” is no code of a coin")
        }
        return Holding(asset: asset, quantity: quantity, averagePrice: averagePrice)
    }
}
