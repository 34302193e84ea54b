import Domain
import ViewStates

extension MarketListCanvas {
    /// Which program and feed this is, what changes refer to, how fresh the data are, and the time.
    mutating func drawTitle() {
        let program = ListWords.program
        let period = periodText
        let clock = TimeText.clock(now)
        let words = HealthWords(health: health, now: now, language: language)
        let left = [
            LineSegment(
                [mark + program + " " + ListWords.market[language], mark + program],
                style: titleStyle,
                rank: isBesideDetail ? 0 : 3
            ),
            LineSegment(
                ListWords.feed(document.source.feed, language),
                style: feedStyle,
                rank: 0
            ),
            LineSegment([ListWords.change[language] + " " + period, period], rank: 2),
        ]
        var right = [LineSegment(words.texts, style: words.style, rank: 1)]
        // Beside a market the time stands at the right edge of the screen.
        if !isBesideDetail {
            right.append(LineSegment([clock + " KST", clock], style: .dim, rank: 4))
        }
        _ = FittedLine(left: left, right: right, width: width).draw(
            in: &frame,
            row: layout.title
        )
    }

    /// The tabs with the open one in brackets, the search, the sort, and how many rows match.
    mutating func drawTabs() {
        guard let row = layout.tabs else { return }
        let query = document.state
        let isFiltered = state.isSearching || !state.searchText.isEmpty
        let all = tabs(MarketListTab.allCases)
        // Only a search, or a very narrow screen, needs the room of the tabs that are not open.
        let isShort = isFiltered || all.columns > width
        var left = [LineSegment(isShort ? [all, tabs([state.tab])] : [all], rank: 0)]
        if isFiltered { left.append(searchField) }
        let sort =
            state.sortInForce.map {
                ListWords.sortKey($0)[language] + ListWords.arrow(state.directionInForce)
            } ?? ListWords.ownOrder[language]
        let right = [
            LineSegment([ListWords.sort[language] + " " + sort, sort], style: .dim, rank: 3),
            LineSegment(["\(query.filtered)/\(query.total)"], rank: 2),
        ]
        let cursor = FittedLine(left: left, right: right, width: width).draw(
            in: &frame,
            row: row
        )
        if state.isSearching, state.overlay == nil, screen.form == nil, let cursor, cursor < width {
            frame.cursor = Frame.Position(row: row, column: cursor)
        }
    }

    /// Beside a market, what tells without colour whether the list has the keys.
    private var mark: String { isBesideDetail && hasKeys ? "▸ " : "" }

    private var titleStyle: CellStyle {
        guard isBesideDetail else { return CellStyle(.accent, emphasis: .bold) }
        return hasKeys ? CellStyle(.accent, emphasis: [.bold, .underline]) : .plain
    }

    /// The period that the document's changes refer to.
    private var periodText: String {
        let raw = document.state.query.changePeriod
        return ChangePeriod(rawValue: raw).map { ListWords.period($0)[language] } ?? raw
    }

    private var feedStyle: CellStyle {
        switch document.source.feed {
        case .live: .plain
        // Reversed, so that it cannot be overlooked even without colours.
        case .simulated, .replay: CellStyle(emphasis: [.bold, .reverse])
        }
    }

    private func tabs(_ tabs: [MarketListTab]) -> [Span] {
        tabs.map { tab in
            let name = ListWords.tab(tab)[language]
            return .tab(name, isOpen: tab == state.tab, target: .tab(tab))
        }
    }

    private var searchField: LineSegment {
        .searchField(state.searchText, isTyping: state.isSearching, width: width)
    }
}
