import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("A form does not overwrite a concurrent change unseen")
struct ConcurrentHoldingChangeTests {
    private typealias Samples = UserScreenSamples

    private static func holding(_ symbol: String, _ quantity: Int64) -> Holding {
        Holding(
            asset: Samples.asset(symbol),
            quantity: FixedDecimal(quantity),
            averagePrice: FixedDecimal(100)
        )
    }

    private static func others(_ holding: Holding) -> ScreenAction {
        .personal(
            Samples.facts(
                Samples.record { record in
                    record.holdings.value.removeAll { $0.asset == holding.asset }
                    record.holdings.value.append(holding)
                    record.holdings.revision += 1
                }
            )
        )
    }

    @Test("A concurrently added coin is shown once; Enter then overwrites it")
    func adding() {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.add))
        state.fill(.type("SOL"), .submit, .type("7"), .submit, .type("5000"))
        let others = Self.holding("SOL", 3)
        _ = ScreenReducer.reduce(&state, Self.others(others))
        #expect(state.fill(.submit).isEmpty)
        #expect(state.form?.purpose == .editHolding(others.asset))
        #expect(state.form?.elsewhere == others)
        #expect(state.form?.fields.map(\.text) == ["7", "5000"])
        let wanted = Holding(
            asset: others.asset,
            quantity: FixedDecimal(7),
            averagePrice: FixedDecimal(5_000)
        )
        #expect(state.fill(.submit) == [.perform(.putHolding(wanted))])
    }

    @Test("A concurrently changed coin is shown once; Enter then overwrites it")
    func editing() {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.edit))
        let others = Self.holding("BTC", 9)
        _ = ScreenReducer.reduce(&state, Self.others(others))
        #expect(state.fill(.submit, .submit).isEmpty)
        #expect(state.form?.elsewhere == others)
        #expect(state.fill(.submit).count == 1)
    }

    @Test("An equal concurrent change closes the form without a question")
    func same() {
        var state = Samples.portfolio()
        _ = ScreenReducer.reduce(&state, .portfolio(.add))
        state.fill(.type("SOL"), .submit, .type("3"), .submit, .type("100"))
        _ = ScreenReducer.reduce(&state, Self.others(Self.holding("SOL", 3)))
        state.fill(.submit)
        #expect(state.form == nil)
    }
}
