import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite(
    "A key pressed before its data loads is performed later, or explains why not",
    .tags(.manyCases)
)
struct DeferredKeysTests {
    /// Something to press keys on.
    enum Place: String, CaseIterable {
        case list, search, favorites, assets, assetSearch, portfolio, more, help
        case book, chart, trades, days

        var opening: [Key] {
            switch self {
            case .list: []
            case .search: Self.typed("/C1")
            case .favorites: [.backTab]
            case .assets: Self.typed("2")
            case .assetSearch: Self.typed("2/")
            case .portfolio: Self.typed("3")
            case .more: Self.typed("4")
            case .help: Self.typed("?")
            case .book: []
            case .chart: [.tab]
            case .trades: [.backTab]
            case .days: [.backTab, .character("d")]
            }
        }

        /// Whether it is of a market that is open.
        var isOfDetail: Bool {
            switch self {
            case .book, .chart, .trades, .days: true
            case .list, .search, .favorites, .assets, .assetSearch, .portfolio, .more, .help: false
            }
        }

        var context: KeyContext {
            switch self {
            case .list, .favorites: .list
            case .search: .search
            case .assets: .assets
            case .assetSearch: .assetSearch
            case .portfolio: .portfolio
            case .more: .more
            case .help: .help
            case .book: .book
            case .chart: .chart
            case .trades, .days: .trades
            }
        }

        /// Keys with an effect in a context, except quit and those that delete search text, which
        /// keep the selection on its row.
        var keys: [Key] {
            KeyTable.screens.bindings
                .filter { $0.contexts.contains(context) && $0.action != .list(.quit) }
                .filter {
                    if case .list(.deleteSearch) = $0.action { false } else { true }
                }
                .flatMap(\.keys)
        }

        static func typed(_ text: String) -> [Key] {
            text.unicodeScalars.map { $0 == "\n" ? .enter : .character($0) }
        }
    }

    private static func model(_ clock: ScriptedClock) -> ScriptedModel {
        let model = ScriptedModel(clock: clock)
        model.keep(
            PageSamples.personal(sequence: 2) { record in
                record.holdings = Revised(PageSamples.held, revision: 2)
                record.favorites = Revised(["C3_KRW", "C5_KRW"], revision: 2)
            }
        )
        return model
    }

    /// The final frame and the frame after each earlier step.
    private static func run(
        _ place: Place,
        size: TerminalSize = TerminalSize(columns: 80, rows: 16),
        _ steps: (ScriptedModel) -> [ScriptedScreen.Step]
    ) throws -> (frames: [Frame], state: ScreenState) {
        let clock = ScriptedClock()
        let model = model(clock)
        var state = ScreenState(given: SettingsPatch())
        if place.isOfDetail { _ = ScreenReducer.reduce(&state, .open("C0_KRW")) }
        let screen = ScriptedScreen(
            columns: size.columns,
            rows: size.rows,
            clock: clock,
            steps(model)
        )
        var loop = TerminalLoop(model: model, screen: screen, state: state)
        _ = loop.run()
        return (screen.drawings.map(\.frame), loop.state)
    }

    /// A frame without the clock in its title.
    private static func body(_ frame: Frame) -> [String] { Array(frame.lines.dropFirst()) }

    @Test(
        "A single early key gives the same frame as a late one, or an explanation",
        arguments: Place.allCases
    )
    func alone(place: Place) throws {
        for key in place.keys {
            let early = try Self.run(place) { model in
                model.withhold()
                return [
                    .keys(place.opening), .keys([key]), .pass(.milliseconds(100)),
                    .wake(after: .milliseconds(10)) { model.bring() }, .pass(.milliseconds(500)),
                ]
            }
            let late = try Self.run(place) { model in
                model.withhold()
                return [
                    .keys(place.opening), .wake(after: .milliseconds(10)) { model.bring() },
                    .pass(.milliseconds(100)), .keys([key]), .pass(.milliseconds(500)),
                ]
            }
            let last = try #require(early.frames.last.map(Self.body))
            guard last != late.frames.last.map(Self.body) else { continue }
            let said = [
                "불러오는 중에는 바꿀 수 없습니다", "목록을 불러오는 중이라 선택한 마켓이 없습니다",
                "복사할 줄이 없습니다",
            ]
            #expect(
                early.frames.contains { frame in
                    said.contains { frame.lines.last?.hasPrefix($0) ?? false }
                },
                "\(place) \(key.label)\n\(last.joined(separator: "\n"))"
            )
        }
    }

    @Test(
        "A key typed together with the opening key gives the same frame as separately",
        arguments: Place.allCases
    )
    func batches(place: Place) throws {
        for key in place.keys {
            let together = try Self.run(place) { _ in [.keys(place.opening + [key])] }
            let apart = try Self.run(place) { _ in
                (place.opening + [key]).map { .keys([$0]) }
            }
            let last = try #require(together.frames.last.map(Self.body))
            #expect(last == apart.frames.last.map(Self.body), "\(place) \(key.label)")
        }
    }

    @Test(
        "Random key batches give the same frame as single keys",
        arguments: Place.allCases
    )
    func randomBatches(place: Place) throws {
        let keys = place.keys
        let index = try #require(Place.allCases.firstIndex(of: place))
        for seed in Cases.seeds(20, of: 60) {
            var generator = SeededGenerator(seed: seed * 64 + UInt64(index))
            let count = Int.random(in: 2...6, using: &generator)
            let batch = (0..<count).compactMap { _ in keys.randomElement(using: &generator) }
            let together = try Self.run(place) { _ in [.keys(place.opening), .keys(batch)] }
            let apart = try Self.run(place) { _ in
                [.keys(place.opening)] + batch.map { .keys([$0]) }
            }
            let last = try #require(together.frames.last.map(Self.body))
            let words = batch.map(\.label).joined(separator: " ")
            #expect(last == apart.frames.last.map(Self.body), "\(place) \(words)")
        }
    }

    @Test("Level keys affect a following scroll key", arguments: 8...16)
    func levelsAhead(fewer: Int) throws {
        let size = TerminalSize(columns: 100, rows: 79)
        for last in [Key.escape, .down, .up, .character("c"), .character("-")] {
            let batch = [.end] + Array(repeating: Key.character("-"), count: fewer) + [last]
            let together = try Self.run(.book, size: size) { _ in [.keys(batch)] }
            let apart = try Self.run(.book, size: size) { _ in batch.map { .keys([$0]) } }
            let body = try #require(together.frames.last.map(Self.body))
            #expect(body == apart.frames.last.map(Self.body), "\(fewer) \(last.label)")
        }
    }

    @Test(
        "Deferred keys run in order, opening last",
        arguments: [
            ("jj\n", "C2_KRW"), ("\njj", "C2_KRW"), ("Gk\n", "C98_KRW"), ("/C11\n", "C11_KRW"),
            ("\n\n", "C0_KRW"), ("2jj\n", "POL_KRW"), ("2j\nj", "POL_KRW"), ("3jo", "XRP_KRW"),
            ("j\nr?\u{1B}", "C1_KRW"),
        ]
    )
    func several(typed: String, market: String) throws {
        let keys = typed.unicodeScalars.map { scalar -> Key in
            scalar == "\n" ? .enter : (scalar == "\u{1B}" ? .escape : .character(scalar))
        }
        for isTogether in [true, false] {
            let result = try Self.run(.list) { model in
                model.withhold()
                return (isTogether ? [.keys(keys)] : keys.map { .keys([$0]) })
                    + [
                        .wake(after: .milliseconds(10)) { model.bring() },
                        .pass(.milliseconds(300)),
                    ]
            }
            #expect(result.state.detail?.market.name == market, "\(isTogether)")
            #expect(!result.state.hasDeferredActions)
        }
    }

    @Test(
        "Esc and leaving the screen discard deferred keys",
        arguments: ["\u{1B}", "4"]
    )
    func takenBack(typed: String) throws {
        let other: Key = typed == "4" ? .character("4") : .escape
        let result = try Self.run(.list) { model in
            model.withhold()
            return [
                .keys([.down, .enter]), .keys([other]),
                .wake(after: .milliseconds(10)) { model.bring() }, .pass(.milliseconds(300)),
            ]
        }
        #expect(result.state.detail == nil)
        #expect(result.state.list.selected?.symbol == (typed == "4" ? nil : "C0"))
    }

    @Test("The bottom line shows deferred keys and the key that cancels them")
    func told() throws {
        let wanted = [
            (80, "데이터를 받으면 실행합니다  Esc 취소"), (40, "데이터를 받으면 실행합니다  Esc 취소"),
        ]
        for (columns, words) in wanted {
            let size = TerminalSize(columns: columns, rows: 12)
            let result = try Self.run(.list, size: size) { model in
                model.withhold()
                return [.keys([.enter]), .pass(.milliseconds(200))]
            }
            #expect(result.frames.last?.lines.last?.hasPrefix(words) ?? false)
        }
    }

    @Test("Deferred keys are bounded")
    func bounded() {
        var state = ScreenState()
        _ = ScreenReducer.reduce(&state, .openSelected)
        for _ in 0..<1_000 { _ = ScreenReducer.reduce(&state, .list(.move(1))) }
        let markets = (0..<600).compactMap { MarketID(name: "C\($0)_KRW") }
        _ = ScreenReducer.reduce(&state, .list(.ordered(markets, now: Samples.now)))
        #expect(state.detail?.market.name == "C255_KRW")
    }

    @Test("A coin without a market says so")
    func withoutMarket() throws {
        let result = try Self.run(.assets) { _ in
            [.keys(Place.assets.opening), .keys([.character("G"), .enter])]
        }
        let last = try #require(result.frames.last?.lines.last)
        #expect(last.hasPrefix("ZZZ: 열 수 있는 마켓이 없습니다"))
    }
}
