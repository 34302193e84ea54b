import Domain
import ViewStates

/// Actions that need data which is still loading, in order; performed when it arrives.
///
/// Holds at most ``countMax`` actions and drops newer ones. An opening action stays last: later
/// movement applies before it.
struct DeferredActions: Sendable, Equatable {
    /// The content that deferred actions refer to; they are discarded when the user turns to
    /// something else.
    enum Subject: Sendable, Hashable {
        case list(MarketListTab, search: String)
        case assets(AssetFilter, search: String)
        case portfolio
        case alerts(AlertsScreenState.Section)
        case detail(MarketID, DetailPane, showsDays: Bool, CandleInterval)
    }

    /// More keys than a user presses while waiting.
    static let countMax = 256

    let subject: Subject
    private(set) var actions: [ScreenAction] = []

    init(_ subject: Subject) { self.subject = subject }

    /// Whether one of them opens something.
    var isOpening: Bool { actions.last?.isOpening ?? false }

    /// Appends an action, but before an opening one.
    mutating func append(_ action: ScreenAction) {
        let opening = isOpening ? actions.removeLast() : nil
        let last = action.isOpening ? action : opening
        let room = Self.countMax - (last == nil ? 0 : 1)
        if !action.isOpening, actions.count < room { actions.append(action) }
        if let last { actions = actions.prefix(room) + [last] }
    }
}

extension DeferredActions.Subject {
    /// The content that keys refer to now; nil if nothing is loaded there.
    init?(_ state: ScreenState) {
        if let detail = state.focusedDetail {
            self = .detail(
                detail.market,
                detail.focus,
                showsDays: detail.trades.showsDays,
                detail.chart.interval
            )
            return
        }
        switch state.page {
        case .market: self = .list(state.list.tab, search: state.list.searchText)
        case .assets: self = .assets(state.assets.filter, search: state.assets.searchText)
        case .portfolio: self = .portfolio
        case .alerts: self = .alerts(state.alerts.section)
        case .more: return nil
        }
    }
}

extension ScreenAction {
    /// Whether the action opens the selected row.
    fileprivate var isOpening: Bool {
        switch self {
        case .openSelected, .focusDetail, .assets(.open), .portfolio, .alerts: true
        default: false
        }
    }
}
