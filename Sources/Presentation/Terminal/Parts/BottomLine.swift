import Domain
import Presentation

/// What the last line of a screen says: what stands in the way, else which keys there are.
enum BottomLine {
    /// A failure, when it is tried again, and the key that does so at once.
    static func error(
        _ error: ErrorViewState,
        now: Timestamp,
        in context: KeyContext,
        width: Int,
        language: Language
    ) -> FittedLine {
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
            let retry = offer(
                .character("r"),
                .list(.reload),
                in: context,
                ListWords.retry[language]
            )
            right.append(LineSegment([retry], rank: 1))
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
    static func hints(in state: ScreenState, width: Int, language: Language) -> FittedLine {
        var left: [LineSegment] = []
        var right: [LineSegment] = []
        for (index, binding) in KeyTable.screens.hints(in: state).enumerated() {
            guard let hint = binding.hint, let key = binding.keys.first else { continue }
            let spans = [
                Span(key.label, CellStyle(.accent, emphasis: .bold)),
                Span(" " + hint[language], .dim),
            ]
            if binding.action == .list(.quit) || binding.action == .list(.toggleHelp) {
                right.append(LineSegment([spans], rank: 1 + right.count))
            } else {
                // The way out is named when little else is.
                let isWayOut = [.list(.dismiss), .detail(.dismiss)].contains(binding.action)
                left.append(LineSegment([spans], rank: isWayOut ? 10 : 11 + index))
            }
        }
        return FittedLine(left: left, right: right, width: width)
    }

    /// A key with what it does in one place; nothing if the table does not bind it so.
    static func offer(
        _ key: Key,
        _ action: ScreenAction,
        in context: KeyContext,
        _ words: String
    ) -> [Span] {
        guard KeyTable.screens.isBound(key, to: action, in: context) else { return [] }
        return [Span(key.label, CellStyle(.accent, emphasis: .bold)), Span(" " + words)]
    }
}
