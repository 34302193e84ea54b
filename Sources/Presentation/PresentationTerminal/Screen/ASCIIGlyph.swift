public import ViewStates

extension Frame {
    /// The same frame in printable ASCII: known symbols have replacements, other characters become
    /// `?`.
    ///
    /// Cell widths do not change.
    public var inASCII: Frame {
        var frame = self
        for index in frame.cells.indices {
            let cell = frame.cells[index]
            if cell.columns == 1, cell.base < 0x7F, cell.firstMark == 0 { continue }
            frame.cells[index] = ASCIIGlyph.cell(cell)
        }
        return frame
    }
}

/// ASCII replacements for the characters that hoga draws.
enum ASCIIGlyph {
    /// For what has no other form: a letter of another script, or a half of it.
    static let unknown: Unicode.Scalar = "?"

    /// The cell in ASCII.
    static func cell(_ cell: Cell) -> Cell {
        var style = cell.style
        let form: Unicode.Scalar
        if let part = leftEighths.firstIndex(of: cell.base) {
            // Exchanging the grounds shows the rest of the cell as filled: ASCII has no rests.
            let isRest = style.emphasis.contains(.reverse)
            if isRest { style = style.reversed }
            form = fraction(isRest ? 7 - part : part + 1)
        } else if blocks.contains(cell.base) {
            // Color may separate rising from falling candles, but not alone.
            form = style.role == .up ? "o" : "#"
        } else {
            form = scalar(cell.base)
        }
        return Cell(base: form.value, columns: 1, style: style)
    }

    /// ▏ to ▉: one to seven eighths of a cell from the left.
    private static let leftEighths: [UInt32] = Array((0x2589...0x258F).reversed())

    /// The blocks and heavy lines of candle bodies, and bars above a third of a cell.
    private static let blocks: Set<UInt32> = [
        0x2580, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588, 0x2503, 0x2579, 0x257B, 0x257D, 0x257F,
    ]

    /// A bar of some eighths of a cell.
    private static func fraction(_ eighths: Int) -> Unicode.Scalar {
        switch eighths {
        case ...2: "-"
        case ...5: "="
        default: "#"
        }
    }

    /// The replacement of a character, for each of its columns.
    static func scalar(_ value: UInt32) -> Unicode.Scalar {
        switch value {
        case 0x20...0x7E: return Unicode.Scalar(UInt8(value))
        case 0x2800...0x28FF: return braille(UInt8(value - 0x2800))
        default: break
        }
        guard let scalar = Unicode.Scalar(value) else { return unknown }
        return signs[scalar] ?? unknown
    }

    /// A braille cell as the sign with a similar position or slope.
    private static func braille(_ dots: UInt8) -> Unicode.Scalar {
        let left = dots & 0b0100_0111
        let right = dots & 0b1011_1000
        let top = dots & 0b0000_1001 != 0
        let upper = dots & 0b0001_0010 != 0
        let lower = dots & 0b0010_0100 != 0
        let bottom = dots & 0b1100_0000 != 0
        let rows = [top, upper, lower, bottom].count { $0 }
        switch (rows, left != 0, right != 0) {
        case (0, _, _): return " "
        case (1, _, _): return top ? "'" : (bottom ? "_" : "-")
        case (2, _, _) where upper && lower: return "-"
        case (2, _, _): return top ? "'" : "."
        case (_, true, true):
            // A line from one side to the other climbs or falls; more than that is a crowd.
            guard dots.nonzeroBitCount <= 5 else { return "*" }
            let climbs = dots & 0b1000_0000 == 0 && dots & 0b0000_0001 == 0
            let falls = dots & 0b0100_0000 == 0 && dots & 0b0000_1000 == 0
            return climbs == falls ? "*" : (climbs ? "/" : "\\")
        case (_, _, _): return ":"
        }
    }

    /// All other characters that hoga draws.
    private static let signs: [Unicode.Scalar: Unicode.Scalar] = [
        // Frames, rules and grids.
        "─": "-", "━": "=", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "┼": "+",
        "┴": "+", "┬": "+", "╌": "-", "┈": ".", "┊": ":",
        // Wicks of half a row are wicks; the body of what rises is an outline.
        "╵": "|", "╷": "|",
        "║": "o", "╫": "o", "╟": "o", "╢": "o", "╨": "o", "╥": "o", "╙": "o", "╜": "o", "╓": "o",
        "╖": "o",
        // Heights of a cell in eighths, from below.
        "▁": "_", "▂": "-", "▃": "=",
        // Directions and marks. Slopes: ^ is Ctrl elsewhere on a screen, and v a key.
        "▲": "/", "▼": "\\", "▶": ">", "◀": "<", "▸": ">", "◂": "<", "›": ">",
        "★": "*", "☆": "-", "●": "o", "○": "x", "✕": "X", "✓": "*", "■": "#",
        "↑": "^", "↓": "v", "←": "<", "→": ">",
        // Signs of writing.
        "…": "~", "·": ".", "–": "-", "—": "-", "×": "x", "’": "'", "‘": "'", "“": "\"",
        "”": "\"", "\u{A0}": " ", "₩": "W", "•": "*",
    ]
}

/// Converts printed text to ASCII.
public enum ASCIIText: Sendable {
    /// The text in printable ASCII and line breaks, with the same column widths.
    public static func text(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                result.append(scalar)
                continue
            }
            let columns =
                switch ScalarWidth.of(scalar) {
                case .mark, .invisible: 0
                case .narrow, .replaced: 1
                case .wide: 2
                }
            let form = ASCIIGlyph.scalar(scalar.value)
            for _ in 0..<columns { result.append(form) }
        }
        return String(result)
    }
}

extension SpokenPage {
    /// The same sentences in the characters of ASCII.
    public var inASCII: SpokenPage {
        SpokenPage(
            heading: ASCIIText.text(heading),
            time: ASCIIText.text(time),
            sentences: sentences.map(ASCIIText.text)
        )
    }
}

/// A view state with names of coins, which a terminal of ASCII alone cannot all show.
public protocol ASCIIConvertible {
    /// The same with those names alone that ASCII can show.
    var inASCII: Self { get }
}

extension Document where State: ASCIIConvertible {
    /// The document with those names alone that ASCII can show.
    public var inASCII: Self {
        var document = self
        document.state = state.inASCII
        return document
    }
}

extension MarketListViewState: ASCIIConvertible {
    /// The list with those names alone that ASCII can show.
    public var inASCII: Self { namesInASCII(rows: \.rows, name: \.name) }
}

extension AssetsViewState: ASCIIConvertible {
    /// Deposits and withdrawals with those names alone that ASCII can show.
    public var inASCII: Self { namesInASCII(rows: \.rows, name: \.name) }
}

extension PortfolioViewState: ASCIIConvertible {
    /// The holdings with those names alone that ASCII can show.
    public var inASCII: Self { namesInASCII(rows: \.rows, name: \.name) }
}

extension MarketDetailViewState: ASCIIConvertible {
    /// The market with its name, if ASCII can show it.
    public var inASCII: Self {
        var view = self
        view.header.name = header.name.inASCII
        return view
    }
}

extension ASCIIConvertible {
    fileprivate func namesInASCII<Row>(
        rows: WritableKeyPath<Self, [Row]>,
        name: WritableKeyPath<Row, MarketRowViewState.Name>
    ) -> Self {
        var view = self
        for index in view[keyPath: rows].indices {
            let shown = view[keyPath: rows][index][keyPath: name].inASCII
            view[keyPath: rows][index][keyPath: name] = shown
        }
        return view
    }
}

extension MarketRowViewState.Name {
    /// The name without what has no form in ASCII.
    fileprivate var inASCII: Self {
        var name = self
        name.ko = nil
        if let english = name.en, !TextWidth.isPrintableASCII(english) { name.en = nil }
        return name
    }
}
