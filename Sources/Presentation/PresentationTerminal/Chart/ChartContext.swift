import Domain
import ViewStates

/// The settings that all parts of the chart are drawn with.
struct ChartContext {
    let options: ChartPaneOptions
    let quote: Quote
    let theme: Theme
    let language: Language
    /// Weak where all figures are those of an earlier moment.
    let emphasis: CellStyle.Emphasis

    init(
        options: ChartPaneOptions,
        quote: Quote,
        theme: Theme,
        language: Language,
        health: HealthViewState
    ) {
        self.options = options
        self.quote = quote
        self.theme = theme
        self.language = language
        switch health.phase {
        case .stale, .failed: emphasis = .dim
        case .loading, .ready, .ended: emphasis = []
        }
    }

    /// Whether colors distinguish the averages.
    var distinguishesAverages: Bool { theme.distinguishesAverages }

    /// The style of a meaning.
    func style(_ role: CellStyle.Role = .plain, _ more: CellStyle.Emphasis = []) -> CellStyle {
        CellStyle(role, emphasis: emphasis.union(more))
    }

    /// The style of what rises or falls.
    func style(
        _ direction: DirectionViewState?,
        _ more: CellStyle.Emphasis = []
    ) -> CellStyle {
        style(CellStyle.Role(direction), more)
    }

    /// Draws the segments that fit.
    func draw(_ segments: [LineSegment], row: Int, columns: Range<Int>, in frame: inout Frame) {
        let line = FittedLine(left: segments, right: [], width: columns.count)
        var column = columns.lowerBound
        for part in line.left {
            for span in part.spans {
                column += frame.draw(
                    span.text,
                    row: row,
                    column: column,
                    width: columns.upperBound - column,
                    style: span.style
                )
            }
            column += FittedLine.gap
        }
    }

    /// Draws a text in the middle of some rows and columns.
    func drawCentered(
        _ text: String,
        rows: Range<Int>,
        columns: Range<Int>,
        in frame: inout Frame
    ) {
        let fitting = TextWidth.truncated(text, to: columns.count)
        frame.draw(
            fitting,
            row: rows.lowerBound + max(rows.count - 1, 0) / 2,
            column: columns.lowerBound + (columns.count - TextWidth.columns(fitting)) / 2,
            width: columns.count,
            style: style(.plain, .dim)
        )
    }
}

extension CellStyle.Role {
    /// The role of what rises or falls; plain for what does neither.
    init(_ direction: DirectionViewState?) {
        switch direction {
        case .up: self = .up
        case .down: self = .down
        case .flat, nil: self = .plain
        }
    }
}
