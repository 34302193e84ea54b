import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Data never cancels what a user is doing")
struct PendingActionTests {
    private static let size = TerminalSize(columns: 60, rows: 12)
    private static let rows = (0..<30).map { Samples.row("C\($0)", "코인") }

    /// Something begun and not ended.
    enum Pending: CaseIterable {
        case search, periods, rule, help, coinSearch, coinHelp, adding, correcting, removing, cash

        var actions: [ScreenAction] {
            switch self {
            case .search: [.list(.beginSearch), .list(.typeSearch("ㅂㅌ"))]
            case .periods: [.list(.move(5)), .list(.openPeriods), .list(.move(2))]
            case .rule: [.list(.move(5)), .list(.togglePopularityRule)]
            case .help:
                [
                    .list(.move(3)), .list(.toggleHelp), .helpShown(lines: 30, rows: 8),
                    .rows(.move(4)),
                ]
            case .coinSearch: [.show(.assets), .assets(.beginSearch), .assets(.typeSearch("비트"))]
            case .coinHelp: [.show(.assets), .rows(.move(1)), .list(.toggleHelp)]
            case .adding: [.show(.portfolio), .portfolio(.add), .form(.type("ETH"))]
            case .correcting:
                [
                    .show(.portfolio), .rows(.moveToFirst), .portfolio(.edit), .form(.next),
                    .form(.type("7")),
                ]
            case .removing: [.show(.portfolio), .rows(.moveToFirst), .portfolio(.remove)]
            case .cash: [.show(.portfolio), .portfolio(.editCash), .form(.type("12"))]
            }
        }
    }

    @Test(
        "New data keeps overlays, typed text and selections",
        arguments: Pending.allCases,
        0..<12
    )
    func stays(pending: Pending, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var state = ScreenState(list: Samples.state(Self.rows, size: Self.size))
        var record = UserRecord(name: "local")
        record.profile = Revised(UserProfile(name: "local", displayName: "혜진"), revision: 1)
        record.holdings = Revised(PageSamples.held, revision: 2)
        let facts = UserStateUpdate(PageSamples.personal { $0 = record })
        _ = ScreenReducer.reduce(&state, .personal(facts))
        PageSamples.show(&state, Self.size)
        for action in pending.actions {
            _ = ScreenReducer.reduce(&state, action)
            if case .show = action { PageSamples.show(&state, Self.size) }
        }
        var now = Samples.now
        for _ in 0..<60 {
            let before = state
            let action = Self.event(&now, &record, &generator)
            _ = ScreenReducer.reduce(&state, action)
            #expect(KeyContext(state) == KeyContext(before), "\(action)")
            #expect(state.page == before.page && state.list.tab == before.list.tab)
            #expect(state.list.overlay == before.list.overlay)
            #expect(state.list.searchText == before.list.searchText)
            #expect(state.assets.searchText == before.assets.searchText)
            #expect(state.form?.fields == before.form?.fields)
            #expect(state.form?.focus == before.form?.focus)
            #expect(state.form?.purpose == before.form?.purpose)
            if let marked = before.list.selected, state.list.order.contains(marked) {
                // Without a menu over the list, the first row shows the top of a new order.
                let isAtTop = before.list.overlay == nil && marked == before.list.order.first
                let selected = isAtTop ? [marked, state.list.order[0]] : [marked]
                #expect(selected.contains { $0 == state.list.selected }, "\(action)")
            }
            if let marked = before.assets.rows.selected, state.assets.rows.order.contains(marked) {
                #expect(state.assets.rows.selected == marked, "\(action)")
            }
            let held = state.portfolio.rows
            if let marked = before.portfolio.rows.selected, held.order.contains(marked) {
                #expect(held.selected == marked, "\(action)")
            }
        }
    }

    /// Events not caused by the user.
    private static func event(
        _ now: inout Timestamp,
        _ record: inout UserRecord,
        _ generator: inout SeededGenerator
    ) -> ScreenAction {
        now = now.advanced(by: .milliseconds(Int.random(in: 0...2_500, using: &generator)))
        let size = TerminalSize(
            columns: Int.random(in: 20...200, using: &generator),
            rows: Int.random(in: 3...60, using: &generator)
        )
        let order = Samples.state(rows).order.shuffled(using: &generator)
        let kept = Array(order.prefix(Int.random(in: 0...30, using: &generator)))
        let visible = MarketListRenderer.visibleRows(in: size)
        let coins = ["BTC", "ETH", "XRP", "SOL"].map { PageSamples.asset($0) }
            .shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator))
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: return .list(.ordered(order, now: now))
        case 1: return .list(.ordered(kept, now: now))
        case 2: return .list(.refresh(now: now))
        case 3:
            return .resize(
                visibleRows: visible,
                room: MarketDetailRenderer.room(in: size),
                besideList: MarketDetailRenderer.sizesBesideList(in: size)
            )
        case 4: return .assets(.shown(Array(coins), visibleRows: visible, now: now))
        case 5:
            let held = coins.map { PortfolioScreenState.RowID.asset($0) } + [.cash]
            return .portfolio(.shown(held, visibleRows: visible, now: now))
        case 6: return .helpShown(lines: 30, rows: visible)
        case 7:
            return .passed(now: now, pendingCall: Bool.random(using: &generator) ? 7 : nil)
        default: return .personal(facts(&record, kept, &generator))
        }
    }

    /// Updates from another session of the user or from the store.
    private static func facts(
        _ record: inout UserRecord,
        _ favorites: [MarketID],
        _ generator: inout SeededGenerator
    ) -> UserStateUpdate {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            record.favorites = Revised(favorites, revision: record.favorites.revision + 1)
        case 1:
            let count = Int.random(in: 0...2, using: &generator)
            let holdings = Array(PageSamples.held.prefix(count))
            record.holdings = Revised(holdings, revision: record.holdings.revision + 1)
        default:
            record.cash = Revised(FixedDecimal(5), revision: record.cash.revision + 1)
        }
        let failure = StoreFailure(.refused, "refused")
        let isFailing = Bool.random(using: &generator)
        let user = PageSamples.personal(
            status: isFailing ? .failing(failure) : .ready,
            refusal: Bool.random(using: &generator)
                ? RejectedChange(
                    change: .putCash(.zero),
                    failure: failure,
                    number: UInt64.random(in: 1...5, using: &generator)
                ) : nil
        ) { $0 = record }
        return UserStateUpdate(user)
    }
}
