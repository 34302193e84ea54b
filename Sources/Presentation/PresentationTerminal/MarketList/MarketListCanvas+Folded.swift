import Domain
import ViewStates

extension MarketListCanvas {
    /// Draws the headings of folded rows in one line: name and trade value on the left; amount,
    /// rate and price on the right.
    ///
    /// If they do not fit, headings are dropped, but not that of the sort column.
    mutating func drawFoldedHeadings(_ headings: ColumnHeadings) {
        guard let line = headingLine else { return }
        let sort = state.sortInForce
        func span(
            _ text: String,
            _ isSorted: Bool = false,
            by key: MarketSortKey? = nil
        ) -> Span {
            let style = isSorted ? CellStyle(emphasis: [.bold, .underline]) : .dim
            return Span(text, style, target: key.map { .sort($0) })
        }
        func joined(_ spans: [Span]) -> [Span] {
            Array(spans.map { [$0] }.joined(separator: [Span(" ")]))
        }
        let isRanked = state.tab == .popular
        let isByPopularity = sort == .popularity
        var left = [span(headings.name, sort == .name, by: .name)]
        if isRanked { left.insert(span(headings.rank, isByPopularity, by: .popularity), at: 0) }
        let value = span(
            headings.tradeValue,
            sort == .tradeValue || (isByPopularity && !isRanked),
            by: .tradeValue
        )
        let rate = span(headings.rate, sort == .changeRate, by: .changeRate)
        let price = span(headings.price, sort == .price, by: .price)
        FittedLine(
            left: [LineSegment([joined(left + [value])], rank: 0)],
            right: [
                LineSegment(
                    [joined([span(headings.amount), rate, price]), joined([rate, price])],
                    rank: 1
                )
            ],
            width: width - 2
        ).draw(in: &frame, row: line, column: 2)
    }
}
