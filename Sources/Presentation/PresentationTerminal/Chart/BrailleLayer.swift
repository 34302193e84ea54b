/// Lines of dots over a plot: two dots across a cell and four down.
struct BrailleLayer {
    /// The bit of each dot of a cell: by its row, then by its column.
    private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

    let columns: Int
    let rows: Int
    private var dots: [UInt8]
    private var roles: [CellStyle.Role]

    init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        dots = Array(repeating: 0, count: self.columns * self.rows)
        roles = Array(repeating: .plain, count: dots.count)
    }

    /// How many dots the plot is high.
    var height: Int { rows * 4 }

    /// Sets a dot; where lines of several roles share a cell, the last one colors it.
    mutating func set(x: Int, y: Int, role: CellStyle.Role) {
        guard x >= 0, y >= 0, x < columns * 2, y < height else { return }
        let index = (y / 4) * columns + x / 2
        dots[index] |= Self.bits[y % 4 * 2 + x % 2]
        roles[index] = role
    }

    /// Sets the dots of a straight line, both ends included.
    mutating func line(
        from start: (x: Int, y: Int),
        to end: (x: Int, y: Int),
        role: CellStyle.Role
    ) {
        // Bresenham's algorithm: the error decides which axis to step along.
        let width = abs(end.x - start.x)
        let height = -abs(end.y - start.y)
        let stepX = start.x < end.x ? 1 : -1
        let stepY = start.y < end.y ? 1 : -1
        var error = width + height
        var (x, y) = start
        while true {
            set(x: x, y: y, role: role)
            if x == end.x, y == end.y { return }
            let doubled = 2 * error
            if doubled >= height {
                error += height
                x += stepX
            }
            if doubled <= width {
                error += width
                y += stepY
            }
        }
    }

    /// Calls `body` with the row, the column, the dots and the role of each cell that has dots.
    func forEachCell(_ body: (Int, Int, UInt8, CellStyle.Role) -> Void) {
        for index in dots.indices where dots[index] != 0 {
            body(index / columns, index % columns, dots[index], roles[index])
        }
    }
}
