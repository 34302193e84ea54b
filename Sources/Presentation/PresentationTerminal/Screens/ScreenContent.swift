public import Domain
public import ViewStates

/// The documents of the visible screen.
public enum ScreenContent: Sendable {
    /// The rows of the list's window, those of the block above it, and what only wide lists show
    /// of both.
    case list(MarketListDocument, pinned: [MarketRowViewState], wide: WideRows? = nil)
    /// An open market, and its days where they are shown.
    case detail(MarketDetailDocument, days: DayList?)
    /// The list with an open market beside it.
    case split(
        MarketListDocument,
        pinned: [MarketRowViewState],
        MarketDetailDocument,
        days: DayList?
    )
    /// Deposits and withdrawals.
    case assets(AssetsDocument)
    /// Holdings, and the coins that cannot be traded just now.
    case portfolio(PortfolioDocument, halted: Set<Asset>)
    /// The page about the program.
    case more(AboutViewState)
    /// The alerts, which the screen's state has; and why the user's command failed last.
    case alerts(AlertCommandFailure?)

    /// Whether any part is still loading, so that the spinner turns.
    var isAwaited: Bool {
        switch self {
        case .list(let document, _, _): document.state.health.phase == .loading
        case .detail(let document, _): document.state.isAwaited
        case .split(let list, _, let detail, _):
            list.state.health.phase == .loading || detail.state.isAwaited
        case .assets(let document): document.state.health.phase == .loading
        case .portfolio(let document, _): document.state.health.phase == .loading
        case .more, .alerts: false
        }
    }

    /// The figures that flash when they change, by name.
    var flashingFigures: [String: FixedDecimal] {
        var figures: [String: FixedDecimal] = [:]
        func apply(_ rows: [MarketRowViewState]) {
            for row in rows { figures[row.market] = row.price }
        }
        switch self {
        case .list(let document, let pinned, _): apply(pinned + document.state.rows)
        case .detail(let document, _):
            figures = MarketDetailRenderer.flashingFigures(of: document.state)
        case .split(let list, let pinned, let detail, _):
            figures = MarketDetailRenderer.flashingFigures(of: detail.state)
            apply(pinned + list.state.rows)
        case .portfolio(let document, _):
            for row in document.state.rows { figures[row.asset] = row.price }
        case .assets, .more, .alerts: break
        }
        return figures
    }
}
