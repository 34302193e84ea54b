import Domain
import ViewStates

extension MarketListCanvas {
    /// What stands in the way and how to get rid of it, else which keys there are.
    mutating func drawBottom() {
        guard let row = layout.bottom else { return }
        let line = BottomLine.line(
            of: screen,
            error: isUnread ? nil : health.error,
            now: now,
            width: width,
            keys: keys,
            language: language
        )
        _ = line.draw(in: &frame, row: row)
    }

    /// In the middle of the list: why it is empty, and the key that helps.
    mutating func drawEmpty() {
        let area = listRows
        guard !area.isEmpty else { return }
        if isUnread {
            drawCentered(
                StoreWords.unread(.favorites, screen.visibility, language).enumerated().map {
                    [Span($1, $0 == 0 ? .bold : .plain)]
                },
                in: area
            )
            return
        }
        var reason = document.state.emptyReason
        if state.tab == .favorites, state.favorites.isEmpty, reason != .loading {
            reason = .noFavorites
        }
        // A tab without markets matches nothing either, but there is no search to clear.
        if reason == .noMatch, state.searchText.isEmpty, !state.isSearching { reason = nil }
        var lines = [[Span(ListWords.empty(reason)[language], .bold)]]
        switch reason {
        case .loading:
            lines[0].insert(Span(Spinner.text(at: now) + " "), at: 0)
        case .noMatch where state.isSearching:
            lines.append(offer(.deleteSearch(.character), in: .search, ListWords.delete))
        case .noMatch:
            lines.append(offer(.dismiss, in: .list, ListWords.clearSearch))
        case .error:
            if let error = health.error { lines.append([Span(error.message)]) }
            lines.append(offer(.reload, in: .list, ListWords.retry))
        case .noFavorites:
            let words = ListWords.starHint[language]
            lines.append(keys.offer(.toggleFavorite, in: .list, words))
            lines.append(offer(.nextTab, in: .list, ListWords.anotherTab))
        case nil:
            lines.append(offer(.nextTab, in: .list, ListWords.anotherTab))
        }
        lines.removeAll { $0.isEmpty }
        drawCentered(lines, in: area)
    }

    /// Whether this is a list of favourites that were not read.
    private var isUnread: Bool { state.tab == .favorites && screen.visibility != .shown }

    private mutating func drawCentered(_ lines: [[Span]], in area: Range<Int>) {
        let top = area.lowerBound + max((area.count - lines.count) / 2, 0)
        for (line, row) in zip(lines, top..<area.upperBound) {
            var column = max((width - line.columns) / 2, 0)
            for span in line {
                column += frame.draw(span.text, row: row, column: column, style: span.style)
            }
        }
    }

    private func offer(
        _ action: MarketListAction,
        in context: KeyContext,
        _ words: LocalizedText
    ) -> [Span] {
        keys.offer(.list(action), in: context, words[language])
    }
}
