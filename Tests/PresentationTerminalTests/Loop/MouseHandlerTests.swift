import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("A click applies to what is drawn", .tags(.manyCases))
struct MouseHandlerTests {
    @Test(
        "Every cell of a row is that row's target, and no other",
        arguments: Cases.seeds(80, of: 200)
    )
    func rows(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let size = TerminalSize(
            columns: Int.random(in: 40...220, using: &generator),
            rows: Int.random(in: 6...60, using: &generator)
        )
        let rows = (0..<Int.random(in: 0...90, using: &generator)).map { index in
            Samples.row("N\(1_000 + index)", "이름", rank: index, price: "\(index)", rate: "+0.1%")
        }
        var list = Samples.state(rows, size: size)
        list.tab = MarketListTab.allCases.randomElement(using: &generator) ?? .krw
        list.selected = list.order.randomElement(using: &generator)
        let frame = MarketListRenderer.render(
            document: Samples.document(rows),
            pinned: [],
            state: ScreenState(list: list),
            now: Samples.now,
            flashing: [],
            size: size,
            language: Bool.random(using: &generator) ? .korean : .english
        )
        var seen: Set<MarketID> = []
        for row in 0..<size.rows {
            let targets = Set((0..<size.columns).map { frame.target(row: row, column: $0)?.market })
            #expect(targets.count == 1, "row \(row) is about several markets")
            guard let market = targets.first ?? nil else {
                #expect(!frame.lines[row].contains(" N1"), "\(frame.lines[row])")
                continue
            }
            seen.insert(market)
            // In a folded row the name is in the first of two lines.
            let lines = frame.lines[(row - 1)...row]
            #expect(lines.contains { $0.contains(market.symbol) })
        }
        #expect(seen.count >= min(rows.count, MarketListRenderer.visibleRows(in: size)))
    }

    @Test("The first click selects, a click on the selection opens")
    func select() throws {
        var state = ScreenState(list: Samples.state())
        let frame = Samples.frame()
        let row = try #require(frame.lines.firstIndex { $0.contains("XRP") })
        let click = MouseEvent(.click, row: row, column: 30)
        let xrp = try #require(MarketID(name: "XRP_KRW"))
        #expect(answer(click, frame, state) == [.list(.select(xrp))])
        apply(click, frame, &state)
        #expect(state.list.selected == xrp && state.detail == nil)
        apply(click, frame, &state)
        #expect(state.detail?.market == xrp)
    }

    @Test("A click applies to the market that was drawn, even if it has moved", arguments: 0..<50)
    func identity(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var state = ScreenState(list: Samples.state())
        let frame = Samples.frame()
        let row = Int.random(in: 3...7, using: &generator)
        let pointed = try #require(frame.target(row: row, column: 0)?.market)
        let click = MouseEvent(.click, row: row, column: 5)
        var order = state.list.order.shuffled(using: &generator)
        if Bool.random(using: &generator) { order.removeAll { $0 == pointed } }
        _ = ScreenReducer.reduce(&state, .list(.ordered(order, now: Samples.now)))
        let marked = state.list.selected
        apply(click, frame, &state)
        if order.contains(pointed) {
            #expect(marked == pointed ? state.detail?.market == pointed : state.detail == nil)
            #expect(state.list.selected == pointed)
        } else {
            #expect(state.detail == nil && state.list.selected == marked)
        }
    }

    @Test("A heading sorts by its column, then reverses")
    func headings() throws {
        var state = ScreenState(list: Samples.state())
        let frame = Samples.frame()
        var keys: Set<MarketSortKey> = []
        for column in 0..<80 {
            guard case .sort(let key)? = frame.target(row: 2, column: column) else { continue }
            keys.insert(key)
            let click = MouseEvent(.click, row: 2, column: column)
            #expect(answer(click, frame, state) == [.list(.chooseSort(key))])
        }
        #expect(keys == [.name, .price, .changeRate, .tradeValue])
        _ = ScreenReducer.reduce(&state, .list(.chooseSort(.price)))
        #expect(state.list.sort == .price && state.list.direction == .descending)
        #expect(ScreenReducer.reduce(&state, .list(.chooseSort(.price))) == [.reorder])
        #expect(state.list.sort == .price && state.list.direction == .ascending)
    }

    @Test("Tabs open, and each word of the bottom line is its key", arguments: Language.allCases)
    func tabsAndHints(language: Language) throws {
        let state = ScreenState(list: Samples.state())
        let frame = Samples.frame(columns: 100, language: language)
        var tabs: [MarketListTab] = []
        for column in 0..<100 {
            guard case .tab(let tab)? = frame.target(row: 1, column: column) else { continue }
            if tabs.last != tab { tabs.append(tab) }
        }
        #expect(tabs == MarketListTab.allCases)
        for binding in KeyTable.screens.hints(in: state) {
            let key = try #require(binding.keys.first)
            let word = try #require(binding.hint)[language]
            guard let range = frame.lines[23].firstRange(of: " " + word) else { continue }
            let column = TextWidth.columns(String(frame.lines[23][..<range.upperBound])) - 1
            let click = MouseEvent(.click, row: 23, column: column)
            #expect(MouseHandler.answer(to: click, on: frame, in: state) == .key(key), "\(word)")
        }
    }

    @Test("The wheel scrolls the list by three rows and keeps the selection visible")
    func wheel() {
        let rows = (0..<100).map { Samples.row("C\($0)", "코인") }
        var state = ScreenState(list: Samples.state(rows))
        let frame = Samples.frame(Samples.document(rows))
        let down = MouseEvent(.wheelDown, row: 8, column: 8)
        for step in 1...40 {
            apply(down, frame, &state)
            let list = state.list
            #expect(list.firstVisible == min(step * 3, 80))
            #expect(list.selected.map(list.order[list.window].contains) == true)
        }
        for _ in 0..<40 { apply(MouseEvent(.wheelUp, row: 8, column: 8), frame, &state) }
        #expect(state.list.firstVisible == 0 && state.list.selected?.symbol == "C19")
    }

    @Test("In the period menu a click selects; help and forms block clicks")
    func overlays() throws {
        var state = ScreenState(list: Samples.state())
        _ = ScreenReducer.reduce(&state, .list(.openPeriods))
        let frame = Samples.frame(state: state.list)
        let row = try #require(frame.lines.firstIndex { $0.contains("12시간") })
        let column = try #require(
            (0..<80).first { frame.target(row: row, column: $0)?.isPeriod ?? false }
        )
        let click = MouseEvent(.click, row: row, column: column)
        #expect(answer(click, frame, state) == [.list(.choosePeriod(.hours12))])
        let beside = MouseEvent(.click, row: row, column: 0)
        #expect(answer(beside, frame, state).isEmpty)
        _ = ScreenReducer.reduce(&state, .list(.dismiss))
        _ = ScreenReducer.reduce(&state, .list(.toggleHelp))
        #expect(answer(MouseEvent(.click, row: 5, column: 5), frame, state).isEmpty)
        let turned = answer(MouseEvent(.wheelDown, row: 5, column: 5), frame, state)
        #expect(turned == [.rows(.scroll(3))])
        var form = PageSamples.screen(.portfolio, columns: 80, rows: 24)
        _ = ScreenReducer.reduce(&form, .portfolio(.add))
        let picture = PageSamples.frame(form, columns: 80, rows: 24)
        for row in 0..<23 {
            for kind in MouseEvent.Kind.allCases {
                #expect(answer(MouseEvent(kind, row: row, column: 9), picture, form).isEmpty)
            }
        }
    }

    @Test("On pages rows are selected and opened, headings sort, filters open")
    func pages() throws {
        var coins = PageSamples.screen(.assets, columns: 80, rows: 24)
        let frame = PageSamples.frame(coins, columns: 80, rows: 24)
        let second = try #require(frame.target(row: 4, column: 70))
        let click = MouseEvent(.click, row: 4, column: 70)
        guard case .coin(let asset) = second else { throw PointerFailure() }
        apply(click, frame, &coins)
        #expect(coins.assets.rows.selected == asset)
        #expect(answer(click, frame, coins) == [.assets(.open)])
        let targets = (0..<80).compactMap { frame.target(row: 2, column: $0) }
        #expect(Set(targets) == [.coinSort(.name), .coinSort(.deposit), .coinSort(.withdrawal)])
        let filters = (0..<80).compactMap { frame.target(row: 1, column: $0) }
        #expect(Set(filters) == Set(AssetFilter.allCases.map { .filter($0) }))
        var holdings = PageSamples.screen(.portfolio, columns: 80, rows: 24)
        let picture = PageSamples.frame(holdings, columns: 80, rows: 24)
        let held = try #require(
            (3..<23).last { picture.target(row: $0, column: 0) == .holding(.cash) }
        )
        let cash = MouseEvent(.click, row: held, column: 3)
        apply(cash, picture, &holdings)
        #expect(holdings.portfolio.rows.selected == .cash)
        #expect(answer(cash, picture, holdings) == [.portfolio(.editCash)])
    }

    @Test("Random clicks and wheel steps keep a valid state", arguments: Cases.seeds(24, of: 60))
    func anywhere(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rows = (0..<50).map { Samples.row("C\($0)", "코인") }
        var state = ScreenState(list: Samples.state(rows))
        for _ in 0..<60 {
            let frame = Samples.frame(Samples.document(rows), state: state.list)
            let event = MouseEvent(
                MouseEvent.Kind.allCases.randomElement(using: &generator) ?? .click,
                row: Int.random(in: 0...30, using: &generator),
                column: Int.random(in: 0...99, using: &generator)
            )
            if state.detail != nil { _ = ScreenReducer.reduce(&state, .detail(.dismiss)) }
            apply(event, frame, &state)
            let list = state.list
            #expect(list.selected.map(list.order[list.window].contains) ?? true)
            #expect((0...max(list.order.count - list.visibleRows, 0)).contains(list.firstVisible))
        }
    }

    private func answer(
        _ event: MouseEvent,
        _ frame: Frame,
        _ state: ScreenState
    ) -> [ScreenAction] {
        switch MouseHandler.answer(to: event, on: frame, in: state) {
        case .key(let key): KeyTable.screens.action(for: .key(key), in: state).map { [$0] } ?? []
        case .actions(let actions): actions
        }
    }

    private func apply(_ event: MouseEvent, _ frame: Frame, _ state: inout ScreenState) {
        for action in answer(event, frame, state) { _ = ScreenReducer.reduce(&state, action) }
    }
}

private struct PointerFailure: Error {}

extension ScreenTarget {
    fileprivate var market: MarketID? { if case .market(let id) = self { id } else { nil } }
    fileprivate var isPeriod: Bool { if case .period = self { true } else { false } }
}
