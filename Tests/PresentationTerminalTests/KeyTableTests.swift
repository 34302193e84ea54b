import Domain
import Presentation
import Testing

@testable import PresentationTerminal

@Suite("Every key does what the table says, and the screen says what the table does")
struct KeyTableTests {
    private let table = KeyTable.marketList

    /// A screen in the middle of a list, with a search, in one of the places keys can go to.
    private func state(_ context: KeyContext) -> MarketListScreenState {
        let rows = (1...30).map { Samples.row("C\($0)", "코인") }
        var state = Samples.state(rows)
        state.visibleRows = 5
        state.selected = state.order[15]
        state.firstVisible = 13
        state.searchText = "코"
        switch context {
        case .list: break
        case .search: state.isSearching = true
        case .periods: state.overlay = .periods(.hours12)
        case .panel: state.overlay = .popularityRule
        }
        return state
    }

    @Test("No control is dead: each key of each binding changes or asks for something")
    func everyKeyHasAnEffect() {
        for binding in table.bindings {
            for context in binding.contexts {
                for key in binding.keys {
                    let before = state(context)
                    #expect(KeyContext(before) == context)
                    let action = table.action(for: .key(key), in: before)
                    #expect(action == binding.action, "\(key) in \(context)")
                    var after = before
                    let effects = action.map { MarketListReducer.reduce(&after, $0) } ?? []
                    #expect(after != before || !effects.isEmpty, "\(key) in \(context)")
                }
            }
        }
    }

    @Test("Every line of the help names keys of the table, in both languages, once")
    func help() {
        let entries = table.helpEntries(isShort: false)
        let bound = Set(table.bindings.flatMap { $0.keys.map(\.label) })
        #expect(Set(entries.map(\.text)).count == entries.count)
        for entry in entries {
            #expect(!entry.text.korean.isEmpty && !entry.text.english.isEmpty)
            for key in entry.keys.split(separator: " ") { #expect(bound.contains(String(key))) }
        }
        #expect(table.helpEntries(isShort: true).map(\.text) == entries.map(\.text))
    }

    @Test("Every key that works in the list is in the help, and no other")
    func helpIsComplete() {
        let listed = Set(
            table.helpEntries(isShort: false).flatMap { $0.keys.split(separator: " ") }
        )
        for binding in table.bindings where binding.contexts.contains(.list) {
            for key in binding.keys { #expect(listed.contains(key.label[...])) }
        }
        // Other screens do not exist yet.
        for key in ["f", "F", "1", "2", "3", "4", "w", "x", "["] {
            #expect(!listed.contains(key[...]))
            for context in [KeyContext.list, .periods, .panel] {
                let event = InputEvent.key(.character(Unicode.Scalar(key) ?? " "))
                #expect(table.action(for: event, in: state(context)) == nil)
            }
        }
    }

    @Test(
        "While somebody types, letters are letters",
        arguments: Array("qjkgGsSpri?/ 가ㅋ1~").map { String($0) }
    )
    func typing(text: String) throws {
        let scalar = try #require(text.unicodeScalars.first)
        let action = table.action(for: .key(.character(scalar)), in: state(.search))
        #expect(action == .typeSearch(text))
    }

    @Test(
        "In the search field only a few keys keep their meaning",
        arguments: [
            (Key.enter, MarketListAction.confirm), (.escape, .dismiss), (.up, .move(-1)),
            (.down, .move(1)), (.backspace, .deleteSearch), (.control("c"), .quit),
            (.tab, nil), (.backTab, nil), (.pageUp, nil), (.home, nil), (.end, nil), (.left, nil),
            (.control("f"), nil), (.control("b"), nil),
        ] as [(Key, MarketListAction?)]
    )
    func searchKeys(key: Key, expected: MarketListAction?) {
        #expect(table.action(for: .key(key), in: state(.search)) == expected)
    }

    @Test(
        "With Hangul switched on the keys under the jamo work",
        arguments: [
            ("ㅓ", MarketListAction.move(1)), ("ㅏ", .move(-1)), ("ㅂ", .quit), ("ㅔ", .openPeriods),
            ("ㄱ", .reload), ("ㅑ", .togglePopularityRule), ("ㅎ", .moveToFirst), ("ㄴ", .nextSort),
            ("가", nil), ("ㅁ", nil),
        ] as [(String, MarketListAction?)]
    )
    func hangulLayout(text: String, expected: MarketListAction?) throws {
        let scalar = try #require(text.unicodeScalars.first)
        #expect(table.action(for: .key(.character(scalar)), in: state(.list)) == expected)
    }

    @Test("Pasted text is search text or nothing, never commands")
    func paste() {
        let event = InputEvent.paste("q\u{1B}[2J비트\r\n\u{202E}코인\u{7}")
        #expect(table.action(for: event, in: state(.search)) == .typeSearch("q[2J비트코인"))
        for context in [KeyContext.list, .periods, .panel] {
            #expect(table.action(for: event, in: state(context)) == nil)
        }
        #expect(table.action(for: .paste("\r\n\t"), in: state(.search)) == nil)
    }

    @Test("The search text has a bound that no paste and no marks get past")
    func searchBound() {
        var state = state(.search)
        state.searchText = ""
        for _ in 0..<3 {
            let event = InputEvent.paste(String(repeating: "가나다", count: 100))
            if let action = table.action(for: event, in: state) {
                _ = MarketListReducer.reduce(&state, action)
            }
        }
        #expect(state.searchText.count == MarketListReducer.searchLengthMax)
        state.searchText = ""
        let tower = "a" + String(repeating: "\u{301}", count: 5_000)
        if let action = table.action(for: .paste(tower), in: state) {
            _ = MarketListReducer.reduce(&state, action)
        }
        #expect(state.searchText.unicodeScalars.count <= MarketListReducer.searchScalarsMax)
    }

    @Test("Conjoining jamo typed one after another make one syllable that is deleted as one")
    func conjoiningJamo() {
        var state = state(.search)
        state.searchText = "비"
        for scalar in "\u{1112}\u{1161}\u{11AB}".unicodeScalars {
            if let action = table.action(for: .key(.character(scalar)), in: state) {
                _ = MarketListReducer.reduce(&state, action)
            }
        }
        #expect(state.searchText == "비한")
        _ = MarketListReducer.reduce(&state, .deleteSearch)
        #expect(state.searchText == "비")
    }

    @Test("Esc is offered in the list only while there is a search to clear")
    func hints() {
        func keys(_ state: MarketListScreenState) -> [String] {
            table.hints(in: state).compactMap { $0.keys.first?.label }
        }
        var list = state(.list)
        #expect(keys(list).contains("Esc"))
        list.searchText = ""
        #expect(keys(list) == ["Tab", "/", "s", "p", "r", "?", "q"])
        #expect(keys(state(.search)) == ["Enter", "Esc"])
        #expect(keys(state(.periods)) == ["Enter", "Esc", "q"])
        #expect(keys(state(.panel)) == ["Esc", "?", "q"])
    }
}
