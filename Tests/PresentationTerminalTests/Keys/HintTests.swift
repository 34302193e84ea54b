import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("The bottom line names the essential keys")
struct HintTests {
    private static func line(
        _ width: Int,
        _ language: Language,
        _ change: (inout MarketListScreenState) -> Void = { _ in }
    ) -> String {
        var list = MarketListScreenState()
        change(&list)
        return line(width, language, ScreenState(list: list))
    }

    private static func line(
        _ width: Int,
        _ language: Language,
        _ state: ScreenState
    ) -> String {
        let line = BottomLine.hints(
            in: state,
            width: width,
            keys: .screens,
            language: language
        )
        var frame = Frame(size: TerminalSize(columns: width, rows: 1))
        _ = line.draw(in: &frame, row: 0)
        return frame.lines[0]
    }

    @Test(
        "From 40 columns the list names open, search, sort, help and quit",
        arguments: Array(40...200),
        Language.allCases
    )
    func needed(width: Int, language: Language) {
        let line = Self.line(width, language)
        let words =
            switch language {
            case .korean: ["Enter 열기", "/ 검색", "s 정렬", "? 도움말", "q 종료"]
            case .english: ["Enter open", "/ search", "s sort", "? help", "q quit"]
            }
        for word in words { #expect(line.contains(word), "\(line)") }
    }

    @Test(
        "From 80 columns it also names clearing a search",
        arguments: Language.allCases
    )
    func cleared(language: Language) {
        let words =
            switch language {
            case .korean: ["Enter 열기", "f 관심", "/ 검색", "s 정렬", "Esc 지우기", "q 종료"]
            case .english: ["Enter open", "f star", "/ search", "s sort", "Esc clear", "q quit"]
            }
        let line = Self.line(80, language) { $0.searchText = "bit" }
        for word in words { #expect(line.contains(word), "\(line)") }
    }

    @Test("The Esc hint names its effect: leave an empty field, keep results, clear them")
    func escape() {
        let empty = Self.line(80, .english) { $0.isSearching = true }
        let typing = Self.line(80, .english) {
            $0.isSearching = true
            $0.searchText = "bit"
        }
        let found = Self.line(80, .english) { $0.searchText = "bit" }
        #expect(empty.contains("Esc close") && typing.contains("Esc done"))
        #expect(found.contains("Esc clear") && !Self.line(80, .english).contains("Esc"))
    }

    @Test("In a market Esc undoes movement, then returns to the list")
    func escapeOfMarket() throws {
        var state = DetailSamples.screen(DetailSamples.state(), columns: 80, rows: 40)
        for (pane, moving) in [
            (DetailPane.book, MarketDetailAction.scroll(3)), (.chart, .toggleCrosshair),
            (.chart, .moveInTime(-5)), (.trades, .scroll(2)),
        ] {
            for action in [MarketDetailAction.focus(pane), moving] {
                _ = ScreenReducer.reduce(&state, .detail(action))
            }
            #expect(Self.line(200, .english, state).contains("Esc undo"), "\(pane) \(moving)")
            _ = ScreenReducer.reduce(&state, .detail(.dismiss))
            while state.detail?.isMoved ?? false {
                _ = ScreenReducer.reduce(&state, .detail(.dismiss))
            }
            #expect(state.detail != nil)
            #expect(Self.line(200, .english, state).contains("Esc list"), "\(pane) \(moving)")
        }
    }

    @Test("On the cash row opening and deleting are not offered, and both explain why")
    func cash() throws {
        var state = PageSamples.screen(.portfolio)
        for row in [PortfolioScreenState.RowID.cash, .asset(PageSamples.asset("BTC"))] {
            _ = ScreenReducer.reduce(&state, .portfolio(.select(row)))
            let line = Self.line(200, .english, state)
            #expect(line.contains("x remove") == (row != .cash), "\(line)")
            #expect(line.contains("o open") == (row != .cash), "\(line)")
        }
        for action in [PortfolioAction.remove, .open] {
            _ = ScreenReducer.reduce(&state, .portfolio(.select(.cash)))
            #expect(ScreenReducer.reduce(&state, .portfolio(action)).isEmpty)
            #expect(state.notice == .notOfCash && state.form == nil)
        }
    }
}
