import Domain
import Testing

@testable import PresentationTerminal

@Suite("A coin in a form is found by symbol or name")
struct FormCoinTests {
    private typealias Samples = UserScreenSamples

    @Test("An unknown coin is refused with suggestions")
    func unknownCoin() throws {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.add))
        let coins = KnownCoins(symbols: ["XRP", "BTC", "XLM"], names: CoinNames([:]))
        state.fill(.type("XRQ"), .know(coins))
        #expect(state.fill(.submit).isEmpty)
        let form = try #require(state.form)
        #expect(form.focus == 0 && form.fields[0].text == "XRQ")
        #expect(form.refusal?.refusal.reason == .unknownAsset(nearest: ["XRP"]))
        state.fill(.delete(.character), .type("P"), .submit)
        #expect(state.form?.focus == 1 && state.form?.refusal == nil)
    }

    @Test(
        "A coin found by name is saved by symbol",
        arguments: ["스텔라", "stellar"]
    )
    func namedCoin(name: String) {
        let names = CoinNames([
            "XLM": CoinNames.Entry(symbol: "XLM", korean: "스텔라", english: "Stellar")
        ])
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.add))
        state.fill(.type(name), .know(KnownCoins(symbols: ["XLM"], names: names)), .next)
        state.fill(.type("2"), .next)
        let holding = Holding(
            asset: Samples.asset("XLM"),
            quantity: FixedDecimal(2),
            averagePrice: nil
        )
        #expect(state.fill(.submit) == [.perform(.putHolding(holding))])
    }
}
