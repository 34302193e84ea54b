public import Domain
import ViewStates

/// Draws the visible screen: a pure function of its documents, the screen state, the time and a
/// size.
///
/// The single place that selects between a page, a market, both, and the notice of a small
/// terminal.
public enum ScreenRenderer: Sendable {
    /// Draws the visible screen.
    ///
    /// - Parameters:
    ///   - content: the visible documents.
    ///   - state: the user's screen state.
    ///   - now: for the clock, ages and countdowns.
    ///   - flashing: figures that just changed.
    ///   - size: any size; below 20 × 4 a notice replaces the screen.
    ///   - theme: the colors.
    ///   - keys: the key bindings.
    ///   - language: the language of labels.
    /// - Returns: a frame of exactly that size.
    public static func render(
        _ content: ScreenContent,
        state: ScreenState,
        now: Timestamp,
        flashing: Set<String>,
        size: TerminalSize,
        theme: Theme,
        keys: KeyTable = .screens,
        language: Language
    ) -> Frame {
        if let notice = SmallScreenNotice(size, state, keys, language) { return notice.frame }
        return ScreenDrawing(
            state: state,
            now: now,
            flashing: flashing,
            size: size,
            theme: theme,
            keys: keys,
            language: language
        ).frame(content)
    }
}

/// The inputs of all screens.
private struct ScreenDrawing {
    let state: ScreenState
    let now: Timestamp
    let flashing: Set<String>
    let size: TerminalSize
    let theme: Theme
    let keys: KeyTable
    let language: Language

    func frame(_ content: ScreenContent) -> Frame {
        switch content {
        case .list(let document, let pinned, let wide):
            return MarketListRenderer.render(
                document: document,
                pinned: pinned,
                wide: wide,
                state: state,
                now: now,
                flashing: flashing,
                size: size,
                keys: keys,
                language: language
            )
        case .detail(let document, let days):
            return MarketDetailRenderer.render(
                document: document,
                days: days,
                state: state,
                now: now,
                flashing: flashing,
                size: size,
                theme: theme,
                keys: keys,
                language: language
            )
        case .split(let list, let pinned, let detail, let days):
            return SplitRenderer(
                list: list,
                pinned: pinned,
                detail: detail,
                days: days,
                state: state,
                now: now,
                flashing: flashing,
                theme: theme,
                keys: keys,
                language: language
            ).frame(size)
        case .assets, .portfolio, .more, .alerts: return page(content)
        }
    }

    /// Draws a page beside the list.
    private func page(_ content: ScreenContent) -> Frame {
        switch content {
        case .list, .detail, .split: return Frame(size: size)
        case .assets(let document):
            return AssetsRenderer.render(
                document: document,
                state: state,
                now: now,
                size: size,
                keys: keys,
                language: language
            )
        case .portfolio(let document, let halted):
            return PortfolioRenderer.render(
                document: document,
                halted: halted,
                state: state,
                now: now,
                flashing: flashing,
                size: size,
                keys: keys,
                language: language
            )
        case .alerts(let failure):
            return AlertsRenderer.render(
                failure: failure,
                state: state,
                now: now,
                size: size,
                keys: keys,
                language: language
            )
        case .more(let about):
            return MoreRenderer.render(
                about: about,
                state: state,
                now: now,
                size: size,
                keys: keys,
                language: language
            )
        }
    }
}
