/// The characters that the chart is made of.
///
/// A screen row is two steps of a candle: a body or wick can fill the upper step, the lower step or
/// both.
enum ChartGlyphs {
    /// The characters of one stretch of a body, across its columns.
    struct BodyPart: Equatable {
        /// For a body one column wide.
        let narrow: Unicode.Scalar
        /// The leftmost column of a wider body.
        let left: Unicode.Scalar
        /// The columns between.
        let middle: Unicode.Scalar
        /// The rightmost column.
        let right: Unicode.Scalar

        init(
            _ narrow: Unicode.Scalar,
            left: Unicode.Scalar,
            middle: Unicode.Scalar,
            right: Unicode.Scalar
        ) {
            self.narrow = narrow
            self.left = left
            self.middle = middle
            self.right = right
        }

        init(_ all: Unicode.Scalar) {
            self.init(all, left: all, middle: all, right: all)
        }

        /// The character of a column, counted from the left.
        func glyph(column: Int, of width: Int) -> Unicode.Scalar {
            if width == 1 { return narrow }
            if column == 0 { return left }
            return column == width - 1 ? right : middle
        }
    }

    /// How bodies of one kind look.
    struct Body: Equatable {
        /// Both steps of a row.
        let full: BodyPart
        /// The upper step.
        let upper: BodyPart
        /// The lower step.
        let lower: BodyPart
    }

    /// Half blocks: what falls.
    static let solid = Body(full: BodyPart("█"), upper: BodyPart("▀"), lower: BodyPart("▄"))
    /// Rising candles: an outline whose edges are in the middle of a row, like those of half
    /// blocks.
    static let hollow = Body(
        full: BodyPart("║", left: "║", middle: " ", right: "║"),
        upper: BodyPart("╨", left: "╙", middle: "─", right: "╜"),
        lower: BodyPart("╥", left: "╓", middle: "─", right: "╖")
    )

    static let wick: Unicode.Scalar = "│"
    static let upperWick: Unicode.Scalar = "╵"
    static let lowerWick: Unicode.Scalar = "╷"
    /// A body without height, with and without wicks.
    static let flat: Unicode.Scalar = "─"
    static let flatWithUpperWick: Unicode.Scalar = "┴"
    static let flatWithLowerWick: Unicode.Scalar = "┬"
    static let flatWithWicks: Unicode.Scalar = "┼"

    static let lastPriceLine: Unicode.Scalar = "╌"
    static let crosshairRow: Unicode.Scalar = "┈"
    static let crosshairColumn: Unicode.Scalar = "┊"
    static let divider: Unicode.Scalar = "─"
    /// At the foot of buckets whose trades were lost.
    static let missing: Unicode.Scalar = "·"
    /// Precedes the tag of an unchanged last price; otherwise the direction sign does.
    static let lastPriceMark = "◂"
    static let crosshairMark = "+"
    /// Follows an opening price outside the range of its candle.
    static let strayMark = "*"

    /// Eighths of a cell, filled from below, 1...8.
    static let eighths: [Unicode.Scalar] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// A cell of two by four dots.
    static func braille(_ dots: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(0x2800 + UInt32(dots)) ?? " "
    }
}
