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
            return ahead(in: context, width: width, keys: keys, language: language)
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
        guard let leftOut = line.leftOut, leftOut <= 10 + KeyCommand.essentialHintPriorityMax else {
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
                let need = binding.command?.hintPriority ?? index + KeyCommand.hintPriorityCount
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

/// What stands in the way of data, and what waits for them.
extension BottomLine {
    /// A failure, when it is tried again, and the key that does so at once; behind it help and
    /// quit, and as many other keys as there is room for.
    ///
    /// The failure is cut only where it has no room beside its own countdown and key.
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
        // At last the key for help stands alone.
        let helpAlone = hints.right.prefix(1).map { Array($0.prefix(1)) }
        return [FittedLine.gap, 1].map { line([], helpAlone, gap: $0) }.first(where: isHelped)
            ?? loose
    }

    /// How soon help is left out: after what tells of the failure, and before all other keys.
    private static let helpRank = 3

    /// That keys wait for their data, and the key that takes them back.
    static func ahead(
        in context: KeyContext,
        width: Int,
        keys: KeyTable,
        language: Language
    ) -> FittedLine {
        let words = [MarketListStrings.ahead[language], MarketListStrings.aheadShort[language]]
        var left = [LineSegment(words, style: .bold, rank: 0)]
        // In a field that key leaves the field.
        if !context.isField, let key = keys.key(for: .back) {
            let accent = CellStyle(.accent, emphasis: .bold)
            let label = Span(keys.label(of: key), accent, target: .key(key))
            let takeBack = Span(" " + MarketListStrings.takeBack[language], target: .key(key))
            left.append(LineSegment([[label, takeBack]], rank: 1))
        }
        return FittedLine(left: left, right: [], width: width)
    }
}
