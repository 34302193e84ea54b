import Domain
import ViewStates

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
        if state.isAheadOfData, context == KeyContext(below: state) {
            return ahead(in: context, width: width, keys: keys, language: language)
        }
        if let error, context == KeyContext(below: state), !context.isField {
            return Self.error(
                error,
                in: state,
                now: now,
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
        let hints = segments(in: state, keys: keys, language: language)
        let left = (mark.map { [$0] } ?? []) + hints.left
        let right = hints.right.enumerated().map { LineSegment([$1], rank: 1 + $0) }
        let line = FittedLine(left: left, right: right, width: width)
        guard let leftOut = line.leftOut, leftOut <= 10 + KeyCommand.hintNeedMax else {
            return line
        }
        // Closer to each other before one is left out without which nobody gets on.
        let tight = FittedLine(left: left, right: right, width: width, gap: 1)
        return tight.leftOut ?? .max > leftOut ? tight : line
    }

    /// The keys that work now; help and quit, in this order, stand at the right.
    static func segments(
        in state: ScreenState,
        keys: KeyTable,
        language: Language
    ) -> (left: [LineSegment], right: [[Span]]) {
        var left: [LineSegment] = []
        var right: [[Span]] = []
        for (index, binding) in keys.hints(in: state).enumerated() {
            guard let hint = keys.hint(of: binding, in: state),
                let label = keys.hintLabel(of: binding)
            else { continue }
            if case .portfolio(let action) = binding.action, action.asksForChange,
                state.visibility != .shown
            {
                continue
            }
            let target = binding.keys.first.map(ScreenTarget.key)
            let spans = [
                Span(label, CellStyle(.accent, emphasis: .bold), target: target),
                Span(" " + hint[language], .dim, target: target),
            ]
            if binding.action == .list(.quit) || binding.action == .list(.toggleHelp) {
                right.append(spans)
            } else {
                let need = binding.command?.hintNeed ?? index + KeyCommand.hintNeeds
                left.append(LineSegment([spans], rank: 10 + need))
            }
        }
        return (left, right)
    }
}

extension KeyTable {
    /// A key with what it does in one place; nothing if no key does it there.
    func offer(_ action: ScreenAction, in context: KeyContext, _ words: String) -> [Span] {
        guard let key = key(for: action, in: context) else { return [] }
        let label = Span(label(of: key), CellStyle(.accent, emphasis: .bold), target: .key(key))
        return [label, Span(" " + words, target: .key(key))]
    }
}
