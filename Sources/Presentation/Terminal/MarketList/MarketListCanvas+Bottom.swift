import Domain
import Presentation

extension MarketListCanvas {
    /// What stands in the way and how to get rid of it, else which keys there are.
    mutating func drawBottom() {
        guard let row = layout.bottom else { return }
        let line = errorLine ?? hintLine
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
            lines[0].insert(Span(spinner + " "), at: 0)
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

    /// A key with what it does here; nothing if the table does not bind it so.
    private func offer(
        _ key: Key,
        _ action: MarketListAction,
        in context: KeyContext,
        _ words: LocalizedText
    ) -> [Span] {
        guard KeyTable.marketList.isBound(key, to: action, in: context) else { return [] }
        return [
            Span(key.label, CellStyle(.accent, emphasis: .bold)),
            Span(" " + words[language]),
        ]
    }

    private var errorLine: FittedLine? {
        guard let error = health.error, state.overlay == nil, !state.isSearching else { return nil }
        let style = CellStyle(.error, emphasis: .bold)
        var right: [LineSegment] = []
        if let moment = error.nextRetryAt {
            right.append(
                LineSegment(
                    [ListWords.countdown(to: moment, now: now, language)],
                    style: style,
                    rank: 2
                )
            )
        }
        if error.retryable {
            right.append(
                LineSegment(
                    [offer(.character("r"), .reload, in: .list, ListWords.retry)],
                    rank: 1
                )
            )
        }
        let reserved = right.reduce(0) { $0 + $1.variants[0].columns + FittedLine.gap }
        let message = TextWidth.truncated(error.message, to: max(width - reserved, 8))
        return FittedLine(
            left: [LineSegment([message], style: style, rank: 0)],
            right: right,
            width: width
        )
    }

    /// The keys that work now, as many as fit; help and quit stand at the right and go last.
    private var hintLine: FittedLine {
        var left: [LineSegment] = []
        var right: [LineSegment] = []
        for (index, binding) in KeyTable.marketList.hints(in: state).enumerated() {
            guard let hint = binding.hint, let key = binding.keys.first else { continue }
            let spans = [
                Span(key.label, CellStyle(.accent, emphasis: .bold)),
                Span(" " + hint[language], .dim),
            ]
            if binding.action == .quit || binding.action == .toggleHelp {
                right.append(LineSegment([spans], rank: 1 + right.count))
            } else {
                left.append(LineSegment([spans], rank: 10 + index))
            }
        }
        return FittedLine(left: left, right: right, width: width)
    }
}
