import Presentation

extension MarketListCanvas {
    /// What the user has opened over the list, if anything.
    mutating func drawOverlay() {
        // Title and bottom line stay, so that the feed is always named.
        let start = layout.title + 1
        let rows = start..<max(layout.bottom ?? frame.size.rows, start)
        let panel = Panel(
            over: ScreenState(list: state),
            rows: rows,
            width: width,
            language: language
        )
        panel?.draw(in: &frame, rows: rows)
    }
}
