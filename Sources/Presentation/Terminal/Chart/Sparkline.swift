public import Presentation

/// Draws prices of many days as one row of eighth blocks.
public enum Sparkline: Sendable {
    /// Draws as many columns as there are prices; where there are more prices than columns, several
    /// share one.
    ///
    /// A column is coloured as its price stands against the first one.
    ///
    /// - Returns: how many columns were drawn: 0 without prices.
    @discardableResult
    public static func draw(
        _ line: SparklineViewState,
        row: Int,
        columns: Range<Int>,
        emphasis: CellStyle.Emphasis = [],
        into frame: inout Frame
    ) -> Int {
        0
    }
}
