import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

/// The states that the table of actions starts from.
enum ScreenSample: String, CaseIterable, CustomTestStringConvertible {
    /// Eight rows, three visible, the second selected.
    case list
    /// The same, with the search field open and a text in it.
    case search
    /// The same, with the keys lying over it.
    case help
    /// The same with the period menu open on its second item.
    case periods
    /// No data has arrived yet.
    case empty

    var testDescription: String { rawValue }

    static let order = ["A", "B", "C", "D", "E", "F", "G", "H"].map {
        MarketID(stringLiteral: $0 + "_KRW")
    }

    var state: MarketListScreenState {
        var state = MarketListScreenState()
        state.visibleRows = 3
        guard self != .empty else { return state }
        state.order = Self.order
        state.selected = Self.order[1]
        state.orderedAt = SampleBoard.start
        state.lastRefreshAt = SampleBoard.start
        switch self {
        case .list, .empty: break
        case .search:
            state.isSearching = true
            state.searchText = "비트"
        case .help: state.overlay = .help
        case .periods: state.overlay = .periods(.midnight)
        }
        return state
    }
}

extension MarketListScreenState {
    /// The difference from an earlier state, in a fixed order; `=` if none.
    func difference(from old: MarketListScreenState, effects: [MarketListEffect]) -> String {
        var words: [String] = []
        if tab != old.tab { words.append("tab=\(tab)") }
        if sort != old.sort { words.append("sort=\(sort)") }
        if direction != old.direction { words.append("\(direction)") }
        if period != old.period { words.append("period=\(period.rawValue)") }
        if searchText != old.searchText { words.append("text=\"\(searchText)\"") }
        if isSearching != old.isSearching { words.append(isSearching ? "field" : "noField") }
        if overlay != old.overlay { words.append("over=\(overlay.map(Self.word) ?? "-")") }
        if order != old.order { words.append("order=" + order.map(\.symbol).joined()) }
        if selected != old.selected { words.append("mark=\(selected?.symbol ?? "-")") }
        if firstVisible != old.firstVisible { words.append("first=\(firstVisible)") }
        if visibleRows != old.visibleRows { words.append("rows=\(visibleRows)") }
        if orderedAt != old.orderedAt { words.append("ordered=\(Self.word(orderedAt))") }
        if movedAt != old.movedAt { words.append("moved=\(Self.word(movedAt))") }
        if lastRefreshAt != old.lastRefreshAt { words.append("at=\(Self.word(lastRefreshAt))") }
        if words.isEmpty { words = ["="] }
        return (words + effects.map { "→\($0)" }).joined(separator: " ")
    }

    private static func word(_ overlay: Overlay) -> String {
        switch overlay {
        case .help: "help"
        case .popularityRule: "rule"
        case .indicators(let row): "\(row)"
        case .periods(let period): period.rawValue
        case .palette(let palette): "palette:\(palette.text)"
        }
    }

    /// Seconds after the start.
    private static func word(_ moment: Timestamp?) -> String {
        moment.map { "\($0.duration(since: SampleBoard.start).components.seconds)" } ?? "-"
    }
}
