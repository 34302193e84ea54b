/// One character cell of a screen.
struct Cell: Equatable {
    /// An empty cell.
    static let blank = Cell(base: 0x20, columns: 1, style: .plain)

    /// The spacing character; 0 in the right half of a wide one.
    var base: UInt32
    /// Combining marks; 0 if none.
    var firstMark: UInt32 = 0
    var secondMark: UInt32 = 0
    /// 1 or 2; 0 in the right half of a wide character.
    var columns: UInt8
    var style: CellStyle

    /// Its characters; empty in the right half of a wide one.
    var text: String {
        var scalars = String.UnicodeScalarView()
        for value in [base, firstMark, secondMark] where value != 0 {
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        return String(scalars)
    }

    init(base: UInt32, columns: UInt8, style: CellStyle) {
        self.base = base
        self.columns = columns
        self.style = style
    }

    init(_ glyph: Glyph, style: CellStyle) {
        base = glyph.base.value
        firstMark = glyph.firstMark?.value ?? 0
        secondMark = glyph.secondMark?.value ?? 0
        columns = UInt8(glyph.columns)
        self.style = style
    }

    /// The right half of a wide character.
    static func rightHalf(style: CellStyle) -> Cell {
        Cell(base: 0, columns: 0, style: style)
    }

    var isRightHalf: Bool { columns == 0 }
}
