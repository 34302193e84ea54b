/// A frame of the whole screen: a grid of styled character cells.
///
/// Drawing outside the grid is clipped. A wide character is drawn with both halves or not at all.
public struct Frame: Sendable, Equatable {
    /// A cell position, from 0.
    public struct Position: Sendable, Hashable {
        /// From the top.
        public var row: Int
        /// From the left.
        public var column: Int

        /// Makes a position.
        public init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// A clickable area.
    struct Target: Sendable, Hashable {
        var target: ScreenTarget
        var area: FrameArea
    }

    /// Alignment of a text within its width.
    public enum Alignment: Sendable, Hashable {
        /// At the left edge.
        case leading
        /// At the right edge.
        case trailing
    }

    /// The size of the grid.
    public let size: TerminalSize
    /// The cursor position; nil while no text is being typed.
    public var cursor: Position?
    /// All rows one after another.
    var cells: [Cell]
    /// Clickable areas, topmost last.
    var targets: [Target] = []

    /// Creates a blank frame.
    public init(size: TerminalSize) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    /// Draws a text, at most `width` columns.
    ///
    /// Longer text is truncated at a character with `…`.
    ///
    /// - Returns: the number of columns drawn.
    @discardableResult
    public mutating func draw(
        _ text: String,
        row: Int,
        column: Int,
        width: Int = .max,
        alignment: Alignment = .leading,
        style: CellStyle = .plain
    ) -> Int {
        let column = max(column, 0)
        let room = min(width, size.columns - column)
        guard (0..<size.rows).contains(row), room > 0 else { return 0 }
        let start = row * size.columns
        let isASCII = TextWidth.isPrintableASCII(text)
        let columns = isASCII ? text.utf8.count : TextWidth.columns(text)
        let indent = alignment == .trailing ? max(room - columns, 0) : 0
        let first = start + column + indent
        if columns <= room {
            return isASCII
                ? put(ascii: text, at: first, style: style)
                : put(Glyphs(text), columns: columns, at: first, style: style)
        }
        var used = put(Glyphs(text), columns: room - 1, at: first, style: style)
        used += put(Glyphs("…"), columns: 1, at: first + used, style: style)
        return used
    }

    /// Fills a stretch of a row with blanks of a style.
    public mutating func fill(row: Int, columns: Range<Int>, style: CellStyle = .plain) {
        let columns = columns.clamped(to: 0..<size.columns)
        guard (0..<size.rows).contains(row), !columns.isEmpty else { return }
        let start = row * size.columns
        for column in columns {
            put(Cell(base: 0x20, columns: 1, style: style), at: start + column)
        }
    }

    /// Puts a one-column character into a cell without measuring it.
    mutating func put(_ character: Unicode.Scalar, row: Int, column: Int, style: CellStyle) {
        guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else { return }
        let cell = Cell(base: character.value, columns: 1, style: style)
        put(cell, at: row * size.columns + column)
    }

    /// The frame as text lines without styles.
    public var lines: [String] {
        (0..<size.rows).map { row in
            var line = String.UnicodeScalarView()
            for cell in cells[(row * size.columns)..<((row + 1) * size.columns)] {
                append(cell.base, to: &line)
                append(cell.firstMark, to: &line)
                append(cell.secondMark, to: &line)
            }
            return String(line)
        }
    }

    /// Appends a scalar of a cell; 0 stands for none.
    private func append(_ value: UInt32, to line: inout String.UnicodeScalarView) {
        guard value != 0, let scalar = Unicode.Scalar(value) else { return }
        line.append(scalar)
    }

    /// The style of a cell; plain outside of the grid.
    public func style(row: Int, column: Int) -> CellStyle {
        guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else {
            return .plain
        }
        return cells[row * size.columns + column].style
    }

    private mutating func put(ascii text: String, at first: Int, style: CellStyle) -> Int {
        var index = first
        for byte in text.utf8 {
            put(Cell(base: UInt32(byte), columns: 1, style: style), at: index)
            index += 1
        }
        return index - first
    }

    /// Puts the whole characters that fit into `columns`.
    private mutating func put(
        _ glyphs: Glyphs,
        columns: Int,
        at first: Int,
        style: CellStyle
    ) -> Int {
        var used = 0
        for glyph in glyphs {
            if used + glyph.columns > columns { break }
            put(Cell(glyph, style: style), at: first + used)
            if glyph.columns == 2 { put(.rightHalf(style: style), at: first + used + 1) }
            used += glyph.columns
        }
        return used
    }

    /// Replaces a cell; the other half of a wide character that it cuts through turns blank.
    private mutating func put(_ cell: Cell, at index: Int) {
        if cells[index].isRightHalf, !cell.isRightHalf, index > 0 {
            cells[index - 1] = Cell(base: 0x20, columns: 1, style: cells[index - 1].style)
        }
        if cells[index].columns == 2, index + 1 < cells.count {
            cells[index + 1] = Cell(base: 0x20, columns: 1, style: cells[index + 1].style)
        }
        cells[index] = cell
    }
}

extension Frame {
    /// A stretch of cells in one row.
    public struct Run: Sendable, Hashable {
        /// From the top.
        public let row: Int
        /// The columns; wide characters are included whole.
        public let columns: Range<Int>
    }

    /// The runs of cells that differ from an earlier frame.
    ///
    /// All rows without an earlier frame or after a resize.
    public func runs(since previous: Frame?) -> [Run] {
        guard let previous, previous.size == size else {
            return (0..<size.rows).map { Run(row: $0, columns: 0..<size.columns) }
        }
        var runs: [Run] = []
        for row in 0..<size.rows {
            let start = row * size.columns
            var column = 0
            while column < size.columns {
                guard cells[start + column] != previous.cells[start + column] else {
                    column += 1
                    continue
                }
                let first = cells[start + column].isRightHalf ? column - 1 : column
                while column < size.columns,
                    cells[start + column] != previous.cells[start + column]
                        || cells[start + column].isRightHalf
                {
                    column += 1
                }
                runs.append(Run(row: row, columns: first..<column))
            }
        }
        return runs
    }
}

extension Frame {
    /// Dims a rectangle of outdated content.
    mutating func weaken(_ area: FrameArea) {
        let area = area.clamped(to: FrameArea(size))
        for row in area.rows {
            for column in area.columns {
                let index = row * size.columns + column
                cells[index].style = cells[index].style.adding(.dim)
            }
        }
    }

    /// Copies another frame into this one, with its cursor and click targets.
    ///
    /// Content outside is clipped; a wide character that would be split becomes blank.
    mutating func put(_ part: Frame, row first: Int, column: Int) {
        let columns = (column..<(column + part.size.columns)).clamped(to: 0..<size.columns)
        for row in 0..<part.size.rows where (0..<size.rows).contains(first + row) {
            // Wide characters across the edges lose both halves.
            for edge in [columns.lowerBound, columns.upperBound - 1] where !columns.isEmpty {
                fill(row: first + row, columns: edge..<(edge + 1))
            }
            let start = (first + row) * size.columns
            for target in columns {
                let cell = part.cells[row * part.size.columns + target - column]
                let isCut =
                    (cell.columns == 2 && target + 1 == columns.upperBound)
                    || (cell.isRightHalf && target == columns.lowerBound)
                cells[start + target] =
                    isCut ? Cell(base: 0x20, columns: 1, style: cell.style) : cell
            }
        }
        for mark in part.targets {
            let area = mark.area
            self.mark(
                mark.target,
                rows: (area.rows.lowerBound + first)..<(area.rows.upperBound + first),
                columns: (area.columns.lowerBound + column)..<(area.columns.upperBound + column)
            )
        }
        guard let place = part.cursor, columns.contains(column + place.column),
            (0..<size.rows).contains(first + place.row)
        else { return }
        cursor = Position(row: first + place.row, column: column + place.column)
    }
}
