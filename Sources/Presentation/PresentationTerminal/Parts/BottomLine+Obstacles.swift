import Domain
import ViewStates

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
            let countdown = ListWords.countdown(to: moment, now: now, language)
            let style = CellStyle(.error, emphasis: .bold)
            own.append(LineSegment([countdown], style: style, rank: 2))
        }
        let context = KeyContext(state)
        if error.retryable {
            let retry = keys.offer(.list(.reload), in: context, ListWords.retry[language])
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
        let words = [ListWords.ahead[language], ListWords.aheadShort[language]]
        var left = [LineSegment(words, style: .bold, rank: 0)]
        // In a field that key leaves the field.
        if !context.isField, let key = keys.key(for: .back) {
            let accent = CellStyle(.accent, emphasis: .bold)
            let label = Span(keys.label(of: key), accent, target: .key(key))
            let takeBack = Span(" " + ListWords.takeBack[language], target: .key(key))
            left.append(LineSegment([[label, takeBack]], rank: 1))
        }
        return FittedLine(left: left, right: [], width: width)
    }
}
