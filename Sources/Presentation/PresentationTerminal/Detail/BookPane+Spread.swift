import Domain
import ViewStates

extension BookPane {
    /// The most columns of the sparkline while the range has no name beside it, so that the name
    /// takes none of them.
    private static let unnamedSparklineMax = 24
    /// A shorter sparkline says too little.
    private static let sparklineMin = 4

    /// Draws the line between the sides: how far they are apart, and where their middle is.
    func drawRule(_ row: Int, _ columns: BookColumns, in frame: inout Frame) {
        let whole = columns.left.lowerBound..<columns.right.upperBound
        for column in whole { frame.put("─", row: row, column: column, style: .dim) }
        guard let text = ruleTexts(room: whole.count) else { return }
        drawCentered(text, row, whole, style: CellStyle(emphasis: base.union(.bold)), in: &frame)
    }

    /// The most complete text that fits.
    ///
    /// A wider book adds a figure and drops none: first the middle joins the spread, then the basis
    /// points, then the mean of the last hour.
    private func ruleTexts(room: Int) -> String? {
        guard let spread = book.spreadText else { return nil }
        let name = DetailStrings.spread[language] + " " + spread
        var texts = [spread, " " + name + " "]
        if let mid = book.mid {
            let price = NumberText.price(mid, quote: detail.market.quote)
            let middle = " · " + DetailStrings.middle[language] + " " + price
            let points = book.spreadBasisPoints.map { " · " + NumberText.basisPoints($0) } ?? ""
            texts += ["", points, points + meanText].map { " " + name + $0 + middle + " " }
        }
        // The rule stays visible on both sides of a text that names the middle.
        return texts.enumerated().last { place, text in
            TextWidth.columns(text) <= room - (place > 1 ? 4 : 0)
        }?.element
    }

    /// ` < 1시간 평균 12.3bp`: the mean of the last hour, after how the spread compares with it.
    private var meanText: String {
        guard let hour = book.spreadHour, let mean = hour.meanText else { return "" }
        let name = DetailStrings.spreadMean(minutes: hour.minutesKnown)[language]
        let sign =
            switch hour.trend {
            case .down: "<"
            case .up: ">"
            case .flat: "="
            case nil: "·"
            }
        return " " + sign + " " + name + " " + mean
    }

    /// Draws the least and the greatest spread of the last hour, and its minutes as a line that
    /// ends now.
    func drawSpreadHour(_ row: Int, _ columns: Range<Int>, in frame: inout Frame) {
        let name = DetailStrings.spread[language] + " "
        guard let hour = book.spreadHour else {
            frame.draw(name + "-", row: row, column: columns.lowerBound, style: .dim)
            return
        }
        let style = CellStyle(emphasis: base)
        var column = columns.lowerBound
        let unnamed = columns.count - TextWidth.columns(hour.rangeText) - 1
        let isNamed = unnamed - TextWidth.columns(name) >= Self.unnamedSparklineMax
        if isNamed { column += frame.draw(name, row: row, column: column, style: .dim) }
        guard unnamed >= -1 else { return }
        column += frame.draw(hour.rangeText, row: row, column: column, style: style) + 1
        let room = columns.upperBound - column
        let length = isNamed ? room : min(room, Self.unnamedSparklineMax)
        guard length >= Self.sparklineMin else { return }
        Sparkline.draw(
            hour.minutes,
            row: row,
            columns: column..<(column + length),
            style: style,
            comparesWithFirst: false,
            into: &frame
        )
    }
}
