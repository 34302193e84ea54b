import Domain
import ViewStates

/// What a user asked of data that are not there yet, in order; it is done when they are.
///
/// It holds at most ``countMax`` actions; of more the newest are dropped. What opens something is
/// the last of them: whoever moves on meanwhile means the row that is opened.
struct DeferredActions: Sendable, Equatable {
    /// What waiting actions are about; when a user turns to something else, they are given up.
    enum Subject: Sendable, Hashable {
        case list(MarketListTab, search: String)
        case assets(AssetFilter, search: String)
        case portfolio
        case detail(MarketID, DetailPane, showsDays: Bool, CandleInterval)
    }

    /// More than anybody presses while nothing happens.
    static let countMax = 256

    let subject: Subject
    private(set) var actions: [ScreenAction] = []

    init(_ subject: Subject) { self.subject = subject }

    /// Whether one of them opens something.
    var isOpening: Bool { actions.last?.isOpening ?? false }

    /// Puts an action behind the others, but before one that opens something.
    mutating func append(_ action: ScreenAction) {
        let opening = isOpening ? actions.removeLast() : nil
        let last = action.isOpening ? action : opening
        let room = Self.countMax - (last == nil ? 0 : 1)
        if !action.isOpening, actions.count < room { actions.append(action) }
        if let last { actions = actions.prefix(room) + [last] }
    }
}

extension DeferredActions.Subject {
    /// What keys are about that are pressed now; nil where nothing has to be waited for.
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
        case .more: return nil
        }
    }
}

extension ScreenAction {
    /// Whether it opens what is marked.
    fileprivate var isOpening: Bool {
        switch self {
        case .openSelected, .focusDetail, .assets(.open), .portfolio: true
        default: false
        }
    }
}
