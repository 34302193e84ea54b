/// The characters that the chart is made of, all in one place.
///
/// A row of the screen is two steps of a candle: a body or a wick can fill the upper step, the
/// lower one or both.
enum ChartGlyphs {
    /// The characters of one stretch of a body, across its columns.
    struct BodyPart: Equatable {
        /// Of a body that is one column wide.
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
    /// What rises: only the outline, whose upper and lower edges lie in the middle of a row just as
    /// those of half blocks do.
    static let hollow = Body(
        full: BodyPart("║", left: "║", middle: " ", right: "║"),
        upper: BodyPart("╨", left: "╙", middle: "─", right: "╜"),
        lower: BodyPart("╥", left: "╓", middle: "─", right: "╖")
    )

    static let wick: Unicode.Scalar = "│"
    static let upperWick: Unicode.Scalar = "╵"
    static let lowerWick: Unicode.Scalar = "╷"
    /// A body without height, by whether a wick goes up and down from it.
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
    /// Before the tag of a last price that neither rose nor fell; else its sign stands there.
    static let lastPriceMark = "◂"
    static let crosshairMark = "+"
    /// Behind a first price that lies outside of the range of its candle.
    static let strayMark = "*"

    /// Eighths of a cell, filled from below, 1...8.
    static let eighths: [Unicode.Scalar] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// A cell of two by four dots.
    static func braille(_ dots: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(0x2800 + UInt32(dots)) ?? " "
    }
}
