import Domain
import ViewStates

/// The texts that copy keys take from the screen.
enum CopiedText {
    /// The selected row in one line, a folded row too; nil without one.
    static func selectedRow(of frame: Frame) -> String? {
        let width = frame.size.columns
        var words: [Substring] = []
        for row in 0..<frame.size.rows {
            let cells = frame.cells[(row * width)..<((row + 1) * width)]
            let scalars = cells.lazy.filter { $0.style.background == .selected }
                .flatMap { [$0.base, $0.firstMark, $0.secondMark] }
                .compactMap { $0 == 0 ? nil : Unicode.Scalar($0) }
            var line = String.UnicodeScalarView()
            line.append(contentsOf: scalars)
            words += String(line).split(separator: " ")
        }
        if words.first == "›" { words.removeFirst() }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The lines of a screen without the blanks at their ends.
    static func screen(of frame: Frame) -> String {
        let lines = frame.lines.map { line in
            line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
        }
        let last = lines.lastIndex { !$0.isEmpty } ?? 0
        return lines[...last].joined(separator: "\n") + "\n"
    }

    /// The candle that opens at a time, else the market's price; exact, fields separated by tabs.
    ///
    /// - Parameters:
    ///   - document: the open market.
    ///   - crosshair: when the bucket under the cross-hair opens; nil without a cross-hair.
    /// - Returns: the text; nil for a bucket without a candle, or an unknown price.
    static func value(of document: MarketDetailViewState, crosshair: Timestamp?) -> String? {
        let market = document.header.market
        guard let crosshair else {
            return document.header.price.map { market + "\t" + $0.canonicalText }
        }
        return document.chart.candles.last { $0.openTime == crosshair }.map { candle in
            let figures = [candle.open, candle.high, candle.low, candle.close, candle.volume]
            return ([market, TimeText.iso(candle.openTime)] + figures.map(\.canonicalText))
                .joined(separator: "\t")
        }
    }
}
