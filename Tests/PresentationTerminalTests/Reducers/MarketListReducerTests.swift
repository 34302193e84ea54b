import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Each action changes only the state it should")
struct MarketListReducerTests {
    @Test("Table of actions", arguments: Row.all, ScreenSample.allCases)
    func table(row: Row, sample: ScreenSample) {
        var state = sample.state
        let effects = MarketListReducer.reduce(&state, row.action)
        #expect(state.difference(from: sample.state, effects: effects) == row[sample])
    }

    @Test("The table contains every action")
    func complete() {
        #expect(Set(Row.all.map { Kind($0.action) }) == Set(Kind.allCases))
    }

    /// An action and its effect on each state, as
    /// ``MarketListScreenState/difference(from:effects:)`` formats it; omitted states behave like
    /// the list.
    struct Row: CustomTestStringConvertible {
        let action: MarketListAction
        private let expected: [ScreenSample: String]

        private init(
            _ action: MarketListAction,
            _ list: String,
            search: String? = nil,
            help: String? = nil,
            periods: String? = nil,
            empty: String? = nil
        ) {
            self.action = action
            expected = [
                .list: list, .search: search ?? list, .help: help ?? list,
                .periods: periods ?? list, .empty: empty ?? list,
            ]
        }

        subscript(sample: ScreenSample) -> String? { expected[sample] }
        var testDescription: String { "\(action)" }

        private static let second1 = SampleBoard.start.advanced(by: .seconds(1))
        private static let second2 = SampleBoard.start.advanced(by: .seconds(2))
        private static let reversed = Array(ScreenSample.order.reversed())

        static let all: [Row] = [
            Row(
                .nextTab,
                "tab=btc mark=- →reorder",
                help: "tab=btc over=- mark=- →reorder",
                periods: "tab=btc over=- mark=- →reorder",
                empty: "tab=btc →reorder"
            ),
            Row(
                .previousTab,
                "tab=favorites mark=- →reorder",
                help: "tab=favorites over=- mark=- →reorder",
                periods: "tab=favorites over=- mark=- →reorder",
                empty: "tab=favorites →reorder"
            ),
            Row(
                .chooseTab(.popular),
                "tab=popular mark=- →reorder",
                help: "tab=popular over=- mark=- →reorder",
                periods: "tab=popular over=- mark=- →reorder",
                empty: "tab=popular →reorder"
            ),
            Row(.chooseTab(.krw), "="),
            Row(
                .chooseSort(.price),
                "sort=price mark=- →reorder",
                empty: "sort=price →reorder"
            ),
            Row(
                .chooseSort(.popularity),
                "ascending mark=- →reorder",
                empty: "ascending →reorder"
            ),
            Row(.select(ScreenSample.order[4]), "mark=E first=2 moved=0", empty: "="),
            Row(.scroll(2), "mark=C first=2 moved=0", empty: "="),
            Row(.scroll(-1), "moved=0", empty: "="),
            Row(
                .nextSort,
                "sort=name ascending mark=- →reorder",
                empty: "sort=name ascending →reorder"
            ),
            Row(.reverseSort, "ascending mark=- →reorder", empty: "ascending →reorder"),
            Row(.openPeriods, "over=24H"),
            Row(
                .choosePeriod(.hour1),
                "period=1H mark=A",
                help: "period=1H over=- mark=A",
                periods: "period=1H over=- mark=A",
                empty: "period=1H"
            ),
            Row(.choosePeriod(.hours24), "=", help: "over=-", periods: "over=-"),
            Row(.beginSearch, "field", search: "=", help: "field over=-", periods: "field over=-"),
            Row(
                .typeSearch("x"),
                #"text="x" mark=- →reorder"#,
                search: #"text="비트x" mark=- →reorder"#,
                empty: #"text="x" →reorder"#
            ),
            Row(.typeSearch("\n"), "="),
            Row(.deleteSearch(.character), "=", search: #"text="비" →reorder"#),
            Row(.deleteSearch(.word), "=", search: #"text="" →reorder"#),
            Row(.deleteSearch(.all), "=", search: #"text="" →reorder"#),
            Row(.move(1), "mark=C moved=0", periods: "over=12H", empty: "="),
            Row(.move(-2), "mark=A moved=0", periods: "over=24H", empty: "="),
            Row(.movePage(1), "mark=E first=2 moved=0", periods: "=", empty: "="),
            Row(.movePage(-1), "mark=A moved=0", periods: "=", empty: "="),
            Row(.moveToFirst, "mark=A moved=0", periods: "over=24H", empty: "="),
            Row(.moveToLast, "mark=H first=5 moved=0", periods: "over=30M", empty: "="),
            Row(
                .confirm,
                "=",
                search: "noField",
                help: "over=-",
                periods: "period=MID over=- mark=A"
            ),
            Row(.dismiss, "=", search: "noField", help: "over=-", periods: "over=-"),
            Row(.reload, "= →reload →reorder"),
            Row(.toggleHelp, "over=help", help: "over=-"),
            Row(.togglePopularityRule, "over=rule"),
            Row(.resize(visibleRows: 5), "rows=5"),
            Row(.resize(visibleRows: 0), "first=1 rows=1", empty: "rows=1"),
            Row(.refresh(now: second1), "at=1", empty: "at=1 →reorder"),
            Row(.refresh(now: second2), "at=2 →reorder"),
            Row(
                .ordered(reversed, now: second1),
                "order=HGFEDCBA first=4 ordered=1",
                empty: "order=HGFEDCBA mark=H ordered=1"
            ),
            Row(.ordered([], now: second1), "order= mark=- ordered=1", empty: "ordered=1"),
            Row(.found(isRead: true), "="),
            Row(.quit, "= →quit"),
        ]
    }

    /// The kinds of actions; a new one does not compile until it is named here.
    private enum Kind: CaseIterable {
        case chooseTab, chooseSort, select, scroll
        case nextTab, previousTab, nextSort, reverseSort, openPeriods, choosePeriod, beginSearch
        case typeSearch, deleteSearch, move, movePage, moveToFirst, moveToLast, confirm, dismiss
        case reload, toggleHelp, togglePopularityRule, resize, refresh, ordered, found, quit

        init(_ action: MarketListAction) {
            self =
                switch action {
                case .chooseTab: .chooseTab
                case .chooseSort: .chooseSort
                case .select: .select
                case .scroll: .scroll
                case .nextTab: .nextTab
                case .previousTab: .previousTab
                case .nextSort: .nextSort
                case .reverseSort: .reverseSort
                case .openPeriods: .openPeriods
                case .choosePeriod: .choosePeriod
                case .beginSearch: .beginSearch
                case .typeSearch: .typeSearch
                case .deleteSearch: .deleteSearch
                case .move: .move
                case .movePage: .movePage
                case .moveToFirst: .moveToFirst
                case .moveToLast: .moveToLast
                case .confirm: .confirm
                case .dismiss: .dismiss
                case .reload: .reload
                case .toggleHelp: .toggleHelp
                case .togglePopularityRule: .togglePopularityRule
                case .resize: .resize
                case .refresh: .refresh
                case .ordered: .ordered
                case .found: .found
                case .quit: .quit
                }
        }
    }
}
