/// A piece of text in one style.
struct Span: Equatable {
    var text: String
    var style: CellStyle
    /// The click target.
    var target: ScreenTarget?

    init(_ text: String, _ style: CellStyle = .plain, target: ScreenTarget? = nil) {
        self.text = text
        self.style = style
        self.target = target
    }
}

extension [Span] {
    /// The width of all of them.
    var columns: Int { reduce(0) { $0 + TextWidth.columns($1.text) } }
}

/// A part of a line with shorter variants, which may be dropped.
struct LineSegment {
    /// The variants, longest first.
    let variants: [[Span]]
    /// The importance: higher ranks shrink and drop first; 0 is never dropped.
    let rank: Int
    /// Whether the cursor follows the segment.
    let hasCursor: Bool

    init(_ variants: [[Span]], rank: Int, hasCursor: Bool = false) {
        self.variants = variants
        self.rank = rank
        self.hasCursor = hasCursor
    }

    init(_ texts: [String], style: CellStyle = .plain, rank: Int) {
        self.init(texts.map { [Span($0, style)] }, rank: rank)
    }
}

/// A line with left and right segments, as complete as its width allows.
struct FittedLine {
    /// Blank columns between two parts, as a rule.
    static let gap = 2

    let width: Int
    /// Blank columns between two parts here.
    let gap: Int
    /// The lowest dropped rank; nil if nothing was dropped.
    let leftOut: Int?
    let left: [(spans: [Span], hasCursor: Bool)]
    let right: [(spans: [Span], hasCursor: Bool)]

    init(left: [LineSegment], right: [LineSegment], width: Int, gap: Int = Self.gap) {
        self.width = width
        self.gap = gap
        let segments = left + right
        var chosen: [Int?] = Array(repeating: 0, count: segments.count)

        func excess() -> Int {
            var columns = 0
            var count = 0
            for (segment, index) in zip(segments, chosen) {
                guard let index else { continue }
                columns += segment.variants[index].columns + (segment.hasCursor ? 1 : 0)
                count += 1
            }
            return columns + max(count - 1, 0) * gap - width
        }
        /// The least important segment that fulfills a condition.
        func last(where condition: (Int) -> Bool) -> Int? {
            segments.indices.filter(condition).max { segments[$0].rank < segments[$1].rank }
        }

        // Shrink all segments before dropping any.
        while excess() > 0,
            let index = last(where: { index in
                chosen[index].map { $0 + 1 < segments[index].variants.count } ?? false
            })
        {
            chosen[index] = (chosen[index] ?? 0) + 1
        }
        while excess() > 0, let index = last(where: { chosen[$0] != nil && segments[$0].rank > 0 })
        {
            chosen[index] = nil
        }
        // A rank-0 segment may have shrunk more than necessary: give spare columns back, from the
        // left.
        for index in segments.indices where segments[index].rank == 0 {
            guard let shortest = chosen[index] else { continue }
            for variant in 0..<shortest {
                chosen[index] = variant
                if excess() <= 0 { break }
                chosen[index] = shortest
            }
        }
        leftOut = zip(segments, chosen).filter { $1 == nil }.map(\.0.rank).min()
        let parts = zip(segments, chosen).map { segment, index in
            index.map { (spans: segment.variants[$0], hasCursor: segment.hasCursor) }
        }
        self.left = parts.prefix(left.count).compactMap { $0 }
        self.right = parts.dropFirst(left.count).compactMap { $0 }
    }

    /// Draws the line from a column on.
    ///
    /// - Returns: the column behind the part with the cursor.
    @discardableResult
    func draw(in frame: inout Frame, row: Int, column first: Int = 0) -> Int? {
        var cursor: Int?
        func draw(_ part: (spans: [Span], hasCursor: Bool), at start: Int) -> Int {
            var column = start
            for span in part.spans {
                let used = frame.draw(
                    span.text,
                    row: row,
                    column: column,
                    width: first + width - column,
                    style: span.style
                )
                if let target = span.target {
                    frame.mark(target, row: row, columns: column..<(column + used))
                }
                column += used
            }
            if part.hasCursor { cursor = column }
            return column + (part.hasCursor ? 1 : 0)
        }
        var column = first
        for part in left { column = draw(part, at: column) + gap }
        let rightColumns = right.reduce(0) { $0 + $1.spans.columns + ($1.hasCursor ? 1 : 0) }
        let rightStart = first + width - rightColumns - max(right.count - 1, 0) * gap
        column = max(column, rightStart)
        for part in right { column = draw(part, at: column) + gap }
        return cursor
    }
}

extension LineSegment {
    /// The search field, as wide as fits; its end stays visible.
    static func searchField(_ text: String, isTyping: Bool, width: Int) -> LineSegment {
        let style: CellStyle = isTyping ? .bold : .plain
        // The end matters, where text is typed.
        let variants = [width, 20, 10, 6].map { columns in
            [Span("/" + TextWidth.end(of: text, in: columns), style)]
        }
        return LineSegment(variants, rank: isTyping ? 0 : 1, hasCursor: isTyping)
    }
}

extension Span {
    /// The name of a tab or filter; the open one differs in more than color.
    static func tab(_ name: String, isOpen: Bool, target: ScreenTarget? = nil) -> Span {
        isOpen
            ? Span("[\(name)]", CellStyle(emphasis: [.bold, .underline]), target: target)
            : Span(" \(name) ", target: target)
    }
}
