import Domain
import ViewStates

@testable import PresentationTerminal

/// The list with an open market beside it, written by hand.
enum SplitSamples {
    /// A screen of some size with the sample's market open.
    static func screen(
        _ size: TerminalSize,
        inList: Bool = false,
        _ actions: ScreenAction...
    ) -> ScreenState {
        var state = ScreenState(list: Samples.state(size: size))
        let facts = DetailExtent(DetailSamples.document(), days: 90, now: Samples.now)
        let start: [ScreenAction] = [resize(size), .openSelected, .detail(.shown(facts))]
        for action in start + (inList ? [.detail(.focusPrevious)] : []) + actions {
            _ = ScreenReducer.reduce(&state, action)
        }
        return state
    }

    /// Applies a size as the loop does.
    static func resize(_ size: TerminalSize) -> ScreenAction {
        .resize(
            visibleRows: MarketListRenderer.visibleRows(in: size),
            room: MarketDetailRenderer.room(in: size),
            besideList: MarketDetailRenderer.sizesBesideList(in: size)
        )
    }

    /// Reads a state's documents as the loop does.
    static func content(
        _ state: ScreenState,
        list: MarketListDocument = Samples.document(),
        detail held: MarketDetailViewState = DetailSamples.state(),
        language: Language = .korean
    ) -> ScreenContent {
        guard let open = state.visibleDetail else { return .list(list, pinned: []) }
        let query = open.query(
            period: state.list.period,
            language: language,
            now: Samples.now
        )
        let document = DetailSamples.document(DetailSamples.cut(held, to: query))
        let days = open.daysQuery(language: language).map { _ in
            DayList(held.chart, quote: .krw)
        }
        return state.isSplit
            ? .split(list, pinned: [], document, days: days) : .detail(document, days: days)
    }

    static func frame(
        _ size: TerminalSize,
        inList: Bool = false,
        language: Language = .korean
    ) -> Frame {
        frame(screen(size, inList: inList), size, language: language)
    }

    static func frame(
        _ state: ScreenState,
        _ size: TerminalSize,
        list: MarketListDocument = Samples.document(),
        detail: MarketDetailViewState = DetailSamples.state(),
        language: Language = .korean
    ) -> Frame {
        ScreenRenderer.render(
            content(state, list: list, detail: detail, language: language),
            state: state,
            now: Samples.now,
            flashing: [],
            size: size,
            theme: Theme(colors: .trueColor),
            language: language
        )
    }
}
