import Domain
import ViewStates

extension Panel {
    /// What the user has opened over a screen; nil if nothing.
    init?(
        over state: ScreenState,
        rows: Range<Int>,
        width: Int,
        keys: KeyTable,
        language: Language
    ) {
        switch state.list.overlay {
        case .help:
            let context = KeyContext(below: state)
            self = Self.help(context, width: width, keys: keys, language: language)
            offset = state.list.help.offset
        case .periods(let marked):
            self = Self.periods(marked, of: state.list.period, rows: rows, language: language)
        case .popularityRule: self = Self.rule(width: width, language: language)
        case nil: return nil
        }
    }

    /// How many lines the help has, and how many of them a screen of this size shows at once.
    static func helpExtent(
        over state: ScreenState,
        size: TerminalSize,
        keys: KeyTable,
        language: Language
    ) -> (lines: Int, rows: Int) {
        let panel = help(
            KeyContext(below: state),
            width: size.columns,
            keys: keys,
            language: language
        )
        let bottom =
            state.frontDetail == nil
            ? MarketListLayout(size).bottom : MarketDetailLayout(size).bottom
        return (panel.lines.count, max((bottom ?? size.rows) - 1, 0))
    }

    /// The keys of a screen.
    static func help(
        _ context: KeyContext,
        width: Int,
        keys: KeyTable,
        language: Language
    ) -> Panel {
        func lines(isShort: Bool) -> [[Span]] {
            let entries = keys.helpEntries(for: context, isShort: isShort)
            let keyColumns = entries.map { TextWidth.columns($0.keys) }.max() ?? 0
            return entries.map { entry in
                [
                    Span(
                        TextWidth.leading(entry.keys, in: keyColumns),
                        CellStyle(.accent, emphasis: .bold)
                    ),
                    Span("  " + entry.text[language]),
                ]
            }
        }
        let long = lines(isShort: false)
        let isTooWide = long.contains { $0.columns > width }
        return Panel(
            title: ListWords.helpTitle[language],
            lines: isTooWide ? lines(isShort: true) : long
        )
    }

    private static func periods(
        _ marked: ChangePeriod,
        of present: ChangePeriod,
        rows: Range<Int>,
        language: Language
    ) -> Panel {
        let periods = ChangePeriod.allCases
        let names = periods.map { ListWords.period($0)[language] }
        let nameColumns = names.map { TextWidth.columns($0) }.max() ?? 0
        var lines = zip(periods, names).map { period, name in
            let isMarked = period == marked
            let check = period == present ? "✓ " : "  "
            let text = (isMarked ? "› " : "  ") + check + TextWidth.leading(name, in: nameColumns)
            let style: CellStyle = isMarked ? CellStyle(emphasis: .reverse) : .plain
            return [Span(text + " ", style, target: .period(period))]
        }
        if rows.count >= lines.count + 3 {
            lines.append([Span(ListWords.periodNote[language], .dim)])
        }
        return Panel(
            title: ListWords.periodTitle[language],
            lines: lines,
            focus: periods.firstIndex(of: marked)
        )
    }

    private static func rule(width: Int, language: Language) -> Panel {
        let columns = min(max(width - 4, 2), 46)
        let lines = TextWidth.wrapped(ListWords.rule[language], to: columns).map { [Span($0)] }
        return Panel(title: ListWords.ruleTitle[language], lines: lines)
    }
}
