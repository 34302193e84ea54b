import ViewStates

extension MarketListCanvas {
    /// What the user has opened over the list, if anything.
    mutating func drawOverlay() {
        // Title and bottom line stay, so that the feed is always named.
        let start = layout.title + 1
        let rows = start..<max(layout.bottom ?? frame.size.rows, start)
        let panel = Panel(
            over: screen,
            rows: rows,
            width: width,
            keys: keys,
            language: language
        )
        panel?.draw(in: &frame, rows: rows)
    }

    /// The form that is filled in, if any.
    mutating func drawForm() {
        let rows = (layout.title + 1)..<max(layout.bottom ?? frame.size.rows, layout.title + 1)
        FormPane(of: screen, keys: keys, language: language)?
            .draw(in: &frame, above: rows)
    }
}
