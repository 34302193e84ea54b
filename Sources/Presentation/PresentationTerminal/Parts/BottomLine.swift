import Domain
import ViewStates

/// The last line of a screen: the current error or notice, else the key hints.
enum BottomLine {
    /// The whole line: a refused change, a notice, the data error, or the key hints; each with a
    /// marker while changes cannot be saved.
    static func line(
        of state: ScreenState,
        error: ErrorViewState?,
        now: Timestamp,
        width: Int,
        keys: KeyTable,
        language: Language
    ) -> FittedLine {
        let mark = StoreStrings.mark(state, width: width, language)
        let red = CellStyle(.error, emphasis: .bold)
        if let refusal = state.refusal {
            return sentence(StoreStrings.refusals(refusal.failure, language), red, width)
        }
        if let notice = state.notice {
            return sentence(MarketListStrings.notice(notice).map { $0[language] }, .bold, width)
        }
        let context = KeyContext(state)
        if state.hasDeferredActions, context == KeyContext(below: state) {
            return deferred(in: context, width: width, keys: keys, language: language)
        }
        if let error, context == KeyContext(below: state), !context.isField {
            return Self.error(
                error,
                in: state,
                now: now,
                mark: StoreStrings.mark(
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
            left: [LineSegment([StoreStrings.fitting(texts, width)], style: style, rank: 0)],
            right: [],
            width: width
        )
    }

    /// The key hints that fit, in table order.
    ///
    /// Essential hints are shown at any width. Help and quit are on the right and dropped last.
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
        guard let leftOut = line.leftOut, leftOut <= 10 + KeyCommand.essentialHintPriorityMax else {
            return line
        }
        // Reduce the gaps before dropping an essential hint.
        let tight = FittedLine(left: left, right: right, width: width, gap: 1)
        return tight.leftOut ?? .max > leftOut ? tight : line
    }

    /// The current key hints; help and quit, in this order, on the right.
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
                let need = binding.command?.hintPriority ?? index + KeyCommand.hintPriorityCount
                left.append(LineSegment([spans], rank: 10 + need))
            }
        }
        return (left, right)
    }
}

extension KeyTable {
    /// A key and its description; empty if no key has the action in the context.
    func offer(_ action: ScreenAction, in context: KeyContext, _ words: String) -> [Span] {
        guard let key = key(for: action, in: context) else { return [] }
        let label = Span(label(of: key), CellStyle(.accent, emphasis: .bold), target: .key(key))
        return [label, Span(" " + words, target: .key(key))]
    }
}

/// Errors and deferred keys.
extension BottomLine {
    /// An error, its retry countdown and key, then help, quit and other hints as they fit.
    ///
    /// The message is truncated only if it does not fit beside its countdown and key.
    static func error(
        _ error: ErrorViewState,
        in state: ScreenState,
        now: Timestamp,
        mark: LineSegment? = nil,
        width: Int,
        keys: KeyTable,
        language: Language
    ) -> FittedLine {
        var own = mark.map { [$0] } ?? []
        if let moment = error.nextRetryAt {
            let countdown = MarketListStrings.countdown(to: moment, now: now)[language]
            let style = CellStyle(.error, emphasis: .bold)
            own.append(LineSegment([countdown], style: style, rank: 2))
        }
        let context = KeyContext(state)
        if error.retryable {
            let retry = keys.offer(.list(.reload), in: context, MarketListStrings.retry[language])
            if !retry.isEmpty { own.append(LineSegment([retry], rank: 1)) }
        }
        let hints = segments(in: state, keys: keys, language: language)
        let retry = keys.key(for: .list(.reload), in: context).map(ScreenTarget.key)
        let others = hints.left.filter { hint in
            !(error.retryable && hint.variants.allSatisfy { $0.first?.target == retry })
        }
        func line(_ others: [LineSegment], _ right: [[Span]], gap: Int) -> FittedLine {
            let reserved = own.reduce(0) { sum, segment in
                sum + (segment.variants.last?.columns ?? 0) + gap
            }
            let message = TextWidth.truncated(error.message, to: max(width - reserved, 8))
            let style = CellStyle(.error, emphasis: .bold)
            return FittedLine(
                left: [LineSegment([message], style: style, rank: 0)] + own + others,
                right: right.enumerated().map { LineSegment([$1], rank: helpRank + $0) },
                width: width,
                gap: gap
            )
        }
        let loose = line(others, hints.right, gap: FittedLine.gap)
        let tight = line(others, hints.right, gap: 1)
        let isWhole = { (line: FittedLine) in line.leftOut ?? .max >= helpRank + hints.right.count }
        let isHelped = { (line: FittedLine) in line.leftOut ?? .max > helpRank }
        // Closer to each other before help or quit is left out.
        if let line = [loose, tight].first(where: isWhole) { return line }
        if let line = [loose, tight].first(where: isHelped) { return line }
        // As a last resort only the key for help is shown.
        let helpAlone = hints.right.prefix(1).map { Array($0.prefix(1)) }
        return [FittedLine.gap, 1].map { line([], helpAlone, gap: $0) }.first(where: isHelped)
            ?? loose
    }

    /// The rank of help: dropped after the error's parts and before all other keys.
    private static let helpRank = 3

    /// Deferred keys, and the key that cancels them.
    static func deferred(
        in context: KeyContext,
        width: Int,
        keys: KeyTable,
        language: Language
    ) -> FittedLine {
        let words = [
            MarketListStrings.deferred[language], MarketListStrings.deferredShort[language],
        ]
        var left = [LineSegment(words, style: .bold, rank: 0)]
        // In a field that key leaves the field.
        if !context.isField, let key = keys.key(for: .back) {
            let accent = CellStyle(.accent, emphasis: .bold)
            let label = Span(keys.label(of: key), accent, target: .key(key))
            let takeBack = Span(" " + MarketListStrings.cancel[language], target: .key(key))
            left.append(LineSegment([[label, takeBack]], rank: 1))
        }
        return FittedLine(left: left, right: [], width: width)
    }
}
