import Domain
import Presentation

extension MarketListCanvas {
    /// What stands in the way and how to get rid of it, else which keys there are.
    mutating func drawBottom() {
        guard let row = layout.bottom else { return }
        let line =
            errorLine
            ?? BottomLine.hints(in: ScreenState(list: state), width: width, language: language)
        _ = line.draw(in: &frame, row: row)
    }

    /// In the middle of the list: why it is empty, and the key that helps.
    mutating func drawEmpty() {
        guard !layout.rows.isEmpty else { return }
        var reason = document.state.emptyReason
        // A tab without markets matches nothing either, but there is no search to clear.
        if reason == .noMatch, state.searchText.isEmpty, !state.isSearching { reason = nil }
        var lines = [[Span(ListWords.empty(reason)[language], .bold)]]
        switch reason {
        case .loading:
            lines[0].insert(Span(Spinner.text(at: now) + " "), at: 0)
        case .noMatch where state.isSearching:
            lines.append(offer(.backspace, .deleteSearch, in: .search, ListWords.delete))
        case .noMatch:
            lines.append(offer(.escape, .dismiss, in: .list, ListWords.clearSearch))
        case .error:
            if let error = health.error { lines.append([Span(error.message)]) }
            lines.append(offer(.character("r"), .reload, in: .list, ListWords.retry))
        case .noFavorites, nil:
            lines.append(offer(.tab, .nextTab, in: .list, ListWords.anotherTab))
        }
        lines.removeAll { $0.isEmpty }
        let top = layout.rows.lowerBound + max((layout.rows.count - lines.count) / 2, 0)
        for (line, row) in zip(lines, top..<layout.rows.upperBound) {
            var column = max((width - line.columns) / 2, 0)
            for span in line {
                column += frame.draw(span.text, row: row, column: column, style: span.style)
            }
        }
    }

    private func offer(
        _ key: Key,
        _ action: MarketListAction,
        in context: KeyContext,
        _ words: LocalizedText
    ) -> [Span] {
        BottomLine.offer(key, .list(action), in: context, words[language])
    }

    private var errorLine: FittedLine? {
        guard let error = health.error, state.overlay == nil, !state.isSearching else { return nil }
        return BottomLine.error(error, now: now, in: .list, width: width, language: language)
    }
}
