public import Domain
import ViewStates

/// A row of the chooser of a chart's averages and panes.
public enum IndicatorRow: Sendable, Hashable {
    /// An average over the prices.
    case average(MovingAverage)
    /// Bands over the prices, or a pane below them.
    case study(ChartStudy)
    /// The volume.
    case volume
    /// Asks for another average.
    case add
}

extension ChartScreenState {
    /// The rows of the chooser: the usual averages, the added ones, the panes.
    var indicatorRows: [IndicatorRow] {
        let averages = averages.union(MovingAverage.usual).sorted()
        return averages.map(IndicatorRow.average) + [.add]
            + ChartStudy.allCases.map(IndicatorRow.study) + [.volume]
    }

    /// Whether a row is drawn.
    func shows(_ row: IndicatorRow) -> Bool {
        switch row {
        case .average(let average): averages.contains(average)
        case .study(let study): studies.contains(study)
        case .volume: showsVolume
        case .add: false
        }
    }
}

extension ScreenReducer {
    /// Opens the menu or form that an action of the chart asks for.
    ///
    /// - Returns: whether it did.
    static func openOverlay(for action: MarketDetailAction, _ state: inout ScreenState) -> Bool {
        switch action {
        case .chooseIndicators:
            guard let first = state.detail?.chart.indicatorRows.first else { return false }
            state.list.overlay = .indicators(first)
        case .toggleComparison:
            guard let detail = state.detail, detail.chart.comparison == nil else { return false }
            state.form = .comparison
        case .saveChart:
            guard let detail = state.detail, let now = detail.facts?.now else { return false }
            // A picture has candles or their line, never single trades.
            let format: ChartFile.Format = detail.chart.showsTicks ? .text : .svg
            let interval = detail.chart.interval
            state.form = .chartFile(
                ChartFile.name(of: detail.market, interval, at: now, format)
            )
        case .compare(let market) where market == state.detail?.market:
            state.notice = .comparedWithItself
        case .toggleIndicator(.add): state.form = .average
        case .toggleIndicator(let row):
            guard case .indicators = state.list.overlay else { return false }
            toggle(row, &state)
        default: return false
        }
        return true
    }

    /// Applies an action of the list to the open chooser.
    ///
    /// - Returns: whether the action was meant for the chooser.
    static func reduce(
        _ state: inout ScreenState,
        indicators action: MarketListAction
    ) -> Bool {
        guard case .indicators(let marked) = state.list.overlay,
            let rows = state.detail?.chart.indicatorRows
        else { return false }
        let index = rows.firstIndex(of: marked) ?? 0
        let target: Int
        switch action {
        case .move(let step): target = index + MarketDetailReducer.bounded(step, by: rows.count)
        case .moveToFirst: target = 0
        case .moveToLast: target = rows.count - 1
        case .confirm:
            if marked == .add {
                state.form = .average
            } else {
                toggle(marked, &state)
            }
            return true
        default: return false
        }
        state.list.overlay = .indicators(rows[min(max(target, 0), rows.count - 1)])
        return true
    }

    /// Adds an average that the user has typed.
    static func add(_ average: MovingAverage, _ state: inout ScreenState) {
        state.detail?.chart.averages.insert(average)
        state.list.overlay = .indicators(.average(average))
    }

    /// Toggles a row; an added average that is removed leaves its place to the next row.
    private static func toggle(_ row: IndicatorRow, _ state: inout ScreenState) {
        guard var chart = state.detail?.chart else { return }
        let index = chart.indicatorRows.firstIndex(of: row) ?? 0
        MarketDetailReducer.toggle(row, &chart)
        state.detail?.chart = chart
        let rows = chart.indicatorRows
        let marked = rows.contains(row) ? row : rows[min(index, rows.count - 1)]
        state.list.overlay = .indicators(marked)
    }
}

extension Panel {
    /// The chooser of averages and panes.
    static func indicators(
        _ marked: IndicatorRow,
        of chart: ChartScreenState,
        language: Language
    ) -> Panel {
        let rows = chart.indicatorRows
        let names = rows.map { ChartStrings.indicator($0)[language] }
        let nameColumns = names.map { TextWidth.columns($0) }.max() ?? 0
        let lines = zip(rows, names).map { row, name in
            let isMarked = row == marked
            let check = chart.shows(row) ? "✓ " : (row == .add ? "+ " : "  ")
            let text = (isMarked ? "› " : "  ") + check + TextWidth.leading(name, in: nameColumns)
            let style: CellStyle = isMarked ? CellStyle(emphasis: .reverse) : .plain
            return [Span(text + " ", style, target: .indicator(row))]
        }
        return Panel(
            title: ChartStrings.indicators[language],
            lines: lines,
            focus: rows.firstIndex(of: marked)
        )
    }
}
