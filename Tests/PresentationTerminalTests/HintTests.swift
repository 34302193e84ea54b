import Domain
import Presentation
import Testing

@testable import PresentationTerminal

@Suite("The bottom line names what one needs to get on")
struct HintTests {
    private static func line(
        _ width: Int,
        _ language: Language,
        _ change: (inout MarketListScreenState) -> Void = { _ in }
    ) -> String {
        var list = MarketListScreenState()
        change(&list)
        let line = BottomLine.hints(
            in: ScreenState(list: list),
            width: width,
            keys: .screens,
            language: language
        )
        var frame = Frame(size: TerminalSize(columns: width, rows: 1))
        _ = line.draw(in: &frame, row: 0)
        return frame.lines[0]
    }

    @Test(
        "From 40 columns on the list names open, search, sort, help and quit",
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
        "With a search that can be cleared, too, from 80 columns on",
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

    @Test("Esc is called by what it does: leave an empty field, leave what was found, clear it")
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
}
