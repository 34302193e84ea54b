import Domain
import ViewStates

/// A centered notice in an empty pane: the reason and the key that helps.
struct PaneNotice {
    let health: HealthViewState
    /// The text for a healthy pane without rows.
    let empty: LocalizedText
    let context: KeyContext
    /// The key offered by a healthy pane; empty if none helps.
    var offer: [Span] = []
    let now: Timestamp
    let keys: KeyTable
    let language: Language

    func draw(in frame: inout Frame, area: FrameArea) {
        var lines: [[Span]]
        switch health.phase {
        case .loading:
            lines = [[Span(Spinner.text(at: now) + " " + DetailStrings.loading[language], .bold)]]
        case .failed: lines = [[Span(DetailStrings.failed[language], .bold)]]
        case .ready, .stale, .ended:
            lines = [[Span(empty[language], .bold)]] + (offer.isEmpty ? [] : [offer])
        }
        if let error = health.error {
            lines += TextWidth.wrapped(error.message, to: max(area.columns.count - 2, 1))
                .prefix(2).map { [Span($0)] }
            let retry = MarketListStrings.retry[language]
            lines.append(keys.offer(.list(.reload), in: context, retry))
        }
        let top = area.rows.lowerBound + max((area.rows.count - lines.count) / 2, 0)
        for (line, row) in zip(lines, top..<max(area.rows.upperBound, top)) {
            let room = area.columns.count
            var column = area.columns.lowerBound + max((room - line.columns) / 2, 0)
            for span in line {
                column += frame.draw(
                    span.text,
                    row: row,
                    column: column,
                    width: area.columns.upperBound - column,
                    style: span.style
                )
            }
        }
    }
}
