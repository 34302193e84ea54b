public import Domain
import ViewStates

/// Draws whatever is open: a pure function of its documents, the screen's state, the time and a
/// size.
///
/// The one place that decides between a page, a market, both beside one another, and the sentence
/// that a terminal is too small.
public enum ScreenRenderer: Sendable {
    /// Draws one picture.
    ///
    /// - Parameters:
    ///   - content: the documents of what is seen.
    ///   - state: what the user has set.
    ///   - now: for the clock, ages and countdowns.
    ///   - flashing: names of the figures that have just changed.
    ///   - size: any; below 40 × 12 a sentence says that more is needed.
    ///   - theme: which colours the terminal has.
    ///   - keys: what is offered.
    ///   - language: of the screen's own words.
    /// - Returns: a picture of exactly that size.
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

/// What all screens are drawn from.
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
        case .list(let document, let pinned):
            return MarketListRenderer.render(
                document: document,
                pinned: pinned,
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
        case .assets, .portfolio, .more: return page(content)
        }
    }

    /// A page beside the list.
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
