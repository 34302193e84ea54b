import Domain
import ViewStates

/// Draws the list and the open market side by side with one bottom line.
struct SplitRenderer {
    let list: MarketListDocument
    let pinned: [MarketRowViewState]
    let detail: MarketDetailDocument
    let days: DayList?
    let state: ScreenState
    let now: Timestamp
    let flashing: Set<String>
    let theme: Theme
    let keys: KeyTable
    let language: Language

    /// Both sides; if they do not fit, only the focused one.
    func frame(_ size: TerminalSize) -> Frame {
        guard let layout = SplitLayout(size), let open = state.detail else { return single(size) }
        var frame = Frame(size: size)
        frame.put(listCanvas(layout.list), row: 0, column: 0)
        let canvas = detailCanvas(open, layout.detail)
        frame.put(canvas.frame, row: 0, column: layout.detailColumn)
        for row in 0..<(size.rows - 1) {
            frame.put("│", row: row, column: layout.divider, style: .dim)
        }
        let line = BottomLine.line(
            of: state,
            error: error(canvas),
            now: now,
            width: size.columns,
            keys: keys,
            language: language
        )
        line.draw(in: &frame, row: size.rows - 1)
        drawOverlay(in: &frame)
        return frame
    }

    /// The error of the focused side, else of the other one.
    private func error(_ canvas: MarketDetailCanvas) -> ErrorViewState? {
        let errors = (list: list.state.health.error, detail: canvas.error)
        return state.isListFocused
            ? errors.list ?? errors.detail : errors.detail ?? errors.list
    }

    private func listCanvas(_ size: TerminalSize) -> Frame {
        var canvas = MarketListCanvas(
            document: list,
            pinned: pinned,
            screen: state,
            now: now,
            flashing: flashing,
            size: size,
            keys: keys,
            language: language
        )
        canvas.isBesideDetail = true
        canvas.drawTitle()
        canvas.drawTabs()
        canvas.drawList()
        return canvas.frame
    }

    private func detailCanvas(
        _ open: MarketDetailScreenState,
        _ size: TerminalSize
    ) -> MarketDetailCanvas {
        var canvas = MarketDetailCanvas(
            document: detail,
            days: days,
            screen: state,
            detail: open,
            now: now,
            flashing: flashing,
            theme: theme,
            keys: keys,
            language: language,
            layout: MarketDetailLayout(size, view: open.view),
            frame: Frame(size: size)
        )
        canvas.drawTitle()
        canvas.drawPrice()
        canvas.drawPanes()
        return canvas
    }

    /// Draws the overlay over both sides.
    private func drawOverlay(in frame: inout Frame) {
        let rows = 1..<(frame.size.rows - 1)
        let width = frame.size.columns
        if state.list.overlay != nil || state.form != nil { frame.cursor = nil }
        Panel(over: state, rows: rows, width: width, keys: keys, language: language)?
            .draw(in: &frame, rows: rows)
        FormPane(of: state, keys: keys, language: language)?.draw(in: &frame, above: rows)
    }

    private func single(_ size: TerminalSize) -> Frame {
        ScreenRenderer.render(
            state.focusedDetail == nil ? .list(list, pinned: pinned) : .detail(detail, days: days),
            state: state,
            now: now,
            flashing: flashing,
            size: size,
            theme: theme,
            keys: keys,
            language: language
        )
    }
}
