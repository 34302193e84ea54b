import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Random pages of random sizes fill the screen exactly", .tags(.manyCases))
struct PagePropertyTests {
    @Test("Every line has the width of the screen", arguments: Cases.seeds(150, of: 400))
    func linesFill(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let columns = Int.random(in: 1...(seed % 4 == 0 ? 220 : 90), using: &generator)
        let rows = Int.random(in: 1...(seed % 4 == 0 ? 70 : 26), using: &generator)
        let language: Language = Bool.random(using: &generator) ? .korean : .english
        let page = ScreenPage.allCases.randomElement(using: &generator) ?? .assets
        var state = PageSamples.screen(page, columns: columns, rows: rows)
        for _ in 0..<5 { Self.act(&state, &generator) }
        let frame = PageSamples.frame(
            state,
            assets: PageSamples.assets(
                Self.coins(&generator),
                health: Self.health(&generator)
            ),
            portfolio: PageSamples.portfolio(
                Self.holdings(&generator),
                health: Self.health(&generator),
                displayName: RandomText.make(length: 20, &generator),
                cash: Bool.random(using: &generator) ? "999,999,999,999,999" : nil,
                unvalued: ["AAA", "BBB"]
            ),
            columns: columns,
            rows: rows,
            language: language
        )
        #expect(frame.lines.count == rows)
        for line in frame.lines {
            #expect(TextWidth.columns(line) == columns)
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
        if let cursor = frame.cursor {
            #expect((0..<rows).contains(cursor.row))
            #expect((0..<columns).contains(cursor.column))
        }
    }

    @Test("A figure of a holding is complete or dropped", arguments: 1...140)
    func figuresAreWhole(columns: Int) {
        let row = PageSamples.holding(
            "LONGCOIN",
            "아주 긴 이름의 자산",
            quantity: "123456789012.3456",
            average: "98765432109",
            price: "87654321098",
            value: "10,822,122,222,222,222",
            profit: "-1,371,111,111,111,111",
            rate: "-11.25",
            share: "99.99"
        )
        let document = PageSamples.portfolio([row])
        let state = PageSamples.screen(.portfolio, columns: columns, rows: 8)
        let frame = PageSamples.frame(state, portfolio: document, columns: columns, rows: 8)
        let line = frame.lines[3]
        for text in ["123,456,789,012.3456", "-1,371,111,111,111,111", "99.99%", "87,654,321,098"] {
            #expect(line.contains(text) || !line.contains(text.prefix(7)), "\(columns): \(line)")
        }
    }

    private static func act(_ state: inout ScreenState, _ generator: inout SeededGenerator) {
        let text = RandomText.make(length: 9, &generator)
        let refusal = RejectedChange(
            change: .putCash(.zero),
            failure: StoreFailure(.refused, RandomText.make(length: 40, &generator)),
            number: 7
        )
        let actions: [ScreenAction] = [
            .rows(.moveToLast), .rows(.movePage(1)), .assets(.nextFilter), .assets(.beginSearch),
            .assets(.typeSearch(text)), .assets(.nextSort), .portfolio(.add), .portfolio(.edit),
            .portfolio(.remove), .portfolio(.editCash), .form(.type(text)), .form(.next),
            .form(.submit), .list(.toggleHelp), .alerts(.otherSection), .alerts(.open),
            .alerts(.remove), .newAlert, .alertSuggested(text),
            .form(
                .knowRules(
                    AlertRuleContext(feed: .live, markets: ["BTC_KRW"], now: Samples.now)
                )
            ),
            .personal(
                UserStateUpdate(
                    PageSamples.personal(
                        status: .failing(StoreFailure(.full, "full")),
                        refusal: refusal
                    )
                )
            ),
        ]
        guard let action = actions.randomElement(using: &generator) else { return }
        _ = ScreenReducer.reduce(&state, action)
    }

    private static func health(_ generator: inout SeededGenerator) -> HealthViewState {
        let phases: [HealthViewState.Phase] = [.loading, .ready, .stale, .failed, .ended]
        let error = ErrorViewState(
            code: "x",
            message: RandomText.make(length: 30, &generator),
            retryable: Bool.random(using: &generator),
            nextRetryAt: Bool.random(using: &generator) ? Samples.now : nil
        )
        var health = Samples.health(
            phases.randomElement(using: &generator) ?? .ready,
            ageSeconds: Bool.random(using: &generator) ? 12 : nil,
            error: Bool.random(using: &generator) ? error : nil
        )
        if Bool.random(using: &generator) { health.origin = .store }
        return health
    }

    private static func coins(_ generator: inout SeededGenerator) -> [AssetsViewState.Row] {
        let states: [TransferViewState?] = [nil, .normal, .suspended]
        return (0..<Int.random(in: 0...40, using: &generator)).map { index in
            PageSamples.coin(
                "C\(index)",
                RandomText.make(length: Int.random(in: 0...20, using: &generator), &generator),
                RandomText.make(length: Int.random(in: 0...20, using: &generator), &generator),
                states.randomElement(using: &generator) ?? nil,
                states.randomElement(using: &generator) ?? nil
            )
        }
    }

    private static func holdings(
        _ generator: inout SeededGenerator
    ) -> [PortfolioViewState.Row] {
        (0..<Int.random(in: 0...30, using: &generator)).map { index in
            let value = Int.random(in: 0...999_999_999_999, using: &generator)
            let isKnown = Bool.random(using: &generator)
            return PageSamples.holding(
                "C\(index)",
                RandomText.make(length: Int.random(in: 0...20, using: &generator), &generator),
                quantity: "\(value).5",
                average: Bool.random(using: &generator) ? "\(value)" : nil,
                price: isKnown ? "\(value)" : nil,
                value: isKnown ? "\(value)" : nil,
                profit: isKnown ? "-\(value)" : nil,
                rate: isKnown ? "-12.5" : nil,
                share: "3.21"
            )
        }
    }
}
