import Domain
import Presentation

/// What the last line of a screen says: what stands in the way, else which keys there are.
enum BottomLine {
    /// The whole of it: a change that was not made, or why a key did nothing, else what stands in
    /// the way of the data, else the keys; and beside each of them that nothing is kept, if so.
    static func line(
        of state: ScreenState,
        error: ErrorViewState?,
        now: Timestamp,
        width: Int,
        keys: KeyTable,
        language: Language
    ) -> FittedLine {
        let mark = StoreWords.mark(state, width: width, language)
        let red = CellStyle(.error, emphasis: .bold)
        if let refusal = state.refusal {
            return sentence(StoreWords.refusals(refusal.failure, language), red, width)
        }
        if let notice = state.notice {
            return sentence(ListWords.notice(notice, language), .bold, width)
        }
        let context = KeyContext(state)
        if let error, context == KeyContext(below: state), !context.isField {
            return Self.error(
                error,
                now: now,
                in: context,
                mark: StoreWords.mark(
                    state,
                    width: width,
                    isBesideError: true,
                    language
                ),
                width: width,
                keys: keys,
                language: language
            )
        }
        return hints(in: state, mark: mark, width: width, keys: keys, language: language)
    }

    private static func sentence(
        _ texts: [String],
        _ style: CellStyle,
        _ width: Int
    ) -> FittedLine {
        FittedLine(
            left: [LineSegment([StoreWords.fitting(texts, width)], style: style, rank: 0)],
            right: [],
            width: width
        )
    }

    /// A failure, when it is tried again, and the key that does so at once.
    static func error(
        _ error: ErrorViewState,
        now: Timestamp,
        in context: KeyContext,
        mark: LineSegment? = nil,
        width: Int,
        keys: KeyTable,
        language: Language
    ) -> FittedLine {
        let style = CellStyle(.error, emphasis: .bold)
        var right = mark.map { [$0] } ?? []
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
            let retry = keys.offer(.list(.reload), in: context, ListWords.retry[language])
            right.append(LineSegment([retry], rank: 1))
        }
        let reserved = right.reduce(0) { sum, segment in
            sum + (segment.variants.last?.columns ?? 0) + FittedLine.gap
        }
        let message = TextWidth.truncated(error.message, to: max(width - reserved, 8))
        return FittedLine(
            left: [LineSegment([message], style: style, rank: 0)],
            right: right,
            width: width
        )
    }

    /// The keys that work now, as many as fit, in the order of the table.
    ///
    /// What everybody needs is named however narrow the screen is; help and quit stand at the right
    /// and go last.
    static func hints(
        in state: ScreenState,
        mark: LineSegment? = nil,
        width: Int,
        keys: KeyTable,
        language: Language
    ) -> FittedLine {
        var left = mark.map { [$0] } ?? []
        var right: [LineSegment] = []
        for (index, binding) in keys.hints(in: state).enumerated() {
            guard let hint = keys.hint(of: binding, in: state),
                let label = keys.hintLabel(of: binding)
            else { continue }
            if case .portfolio(let action) = binding.action, action.asksForChange,
                state.sight != .shown
            {
                continue
            }
            let target = binding.keys.first.map(ScreenTarget.key)
            let spans = [
                Span(label, CellStyle(.accent, emphasis: .bold), target: target),
                Span(" " + hint[language], .dim, target: target),
            ]
            if binding.action == .list(.quit) || binding.action == .list(.toggleHelp) {
                right.append(LineSegment([spans], rank: 1 + right.count))
            } else {
                let need = binding.command?.hintNeed ?? index + KeyCommand.hintNeeds
                left.append(LineSegment([spans], rank: 10 + need))
            }
        }
        let line = FittedLine(left: left, right: right, width: width)
        guard let leftOut = line.leftOut, leftOut <= 10 + KeyCommand.hintNeedMax else {
            return line
        }
        // Closer to each other before one is left out without which nobody gets on.
        let tight = FittedLine(left: left, right: right, width: width, gap: 1)
        return tight.leftOut ?? .max > leftOut ? tight : line
    }
}

extension KeyTable {
    /// A key with what it does in one place; nothing if no key does it there.
    func offer(_ action: ScreenAction, in context: KeyContext, _ words: String) -> [Span] {
        guard let key = key(for: action, in: context) else { return [] }
        let label = Span(key.label, CellStyle(.accent, emphasis: .bold), target: .key(key))
        return [label, Span(" " + words, target: .key(key))]
    }
}
