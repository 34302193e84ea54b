/// The characters that the chart is made of.
///
/// A screen row is two steps of a candle: a body or wick can fill the upper step, the lower step or
/// both.
enum ChartGlyphs {
    /// The part of a candle in one step of its middle column.
    enum Step: Int {
        case blank, wick, body
    }

    /// The middle column of a candle: light where there is a wick, heavy where there is a body.
    ///
    /// Two steps of one cell join, and bodies of adjacent columns stay apart.
    static func line(upper: Step, lower: Step) -> Unicode.Scalar {
        lines[upper.rawValue][lower.rawValue]
    }

    /// The same for the outline of a rising candle.
    static func outline(upper: Step, lower: Step) -> Unicode.Scalar {
        outlines[upper.rawValue][lower.rawValue]
    }

    private static let lines: [[Unicode.Scalar]] = [
        [" ", "╷", "╻"], ["╵", "│", "╽"], ["╹", "╿", "┃"],
    ]
    private static let outlines: [[Unicode.Scalar]] = [
        [" ", "╷", "╥"], ["╵", "│", "╫"], ["╨", "╫", "║"],
    ]

    /// Half blocks of a body.
    static let block: Unicode.Scalar = "█"
    static let upperBlock: Unicode.Scalar = "▀"
    static let lowerBlock: Unicode.Scalar = "▄"
    /// Sides of an outline: between its ends, and for each end; ends are in the middle of a row.
    static let side: Unicode.Scalar = "║"
    static let top = (left: Unicode.Scalar("╓"), right: Unicode.Scalar("╖"))
    static let bottom = (left: Unicode.Scalar("╙"), right: Unicode.Scalar("╜"))
    /// An outline that is one row high.
    static let box = (left: Unicode.Scalar("╟"), right: Unicode.Scalar("╢"))

    /// A body without height, with and without wicks.
    static let flat: Unicode.Scalar = "─"
    static let flatWithUpperWick: Unicode.Scalar = "┴"
    static let flatWithLowerWick: Unicode.Scalar = "┬"
    static let flatWithWicks: Unicode.Scalar = "┼"

    static let lastPriceLine: Unicode.Scalar = "╌"
    /// Levels of the price axis and labelled times.
    static let grid: Unicode.Scalar = "·"
    static let crosshairRow: Unicode.Scalar = "┈"
    static let crosshairColumn: Unicode.Scalar = "┊"
    static let divider: Unicode.Scalar = "─"
    /// At the foot of buckets whose trades were lost.
    static let missing: Unicode.Scalar = "×"
    /// Precedes the tag of an unchanged last price; otherwise the direction sign does.
    static let lastPriceMark = "◂"
    static let crosshairMark = "◂"
    /// Between the highest or lowest price and its candle, on either side.
    static let extremeMarks = (left: "◂", right: "▸")
    /// Follows an opening price outside the range of its candle.
    static let strayMark = "*"

    /// Eighths of a cell, filled from below, 1...8.
    static let eighths: [Unicode.Scalar] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The left dots of a cell, filled from below, 1...4: a bar that leaves a gap to the next.
    static let thinBar: [Unicode.Scalar] = [0x40, 0x44, 0x46, 0x47].map(braille)

    /// The cells that lines are made of.
    static let brailleRange: ClosedRange<UInt32> = 0x2800...0x28FF

    /// A cell of two by four dots.
    static func braille(_ dots: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(brailleRange.lowerBound + UInt32(dots)) ?? " "
    }
}
