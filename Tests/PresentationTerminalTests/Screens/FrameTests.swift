import Testing
import TestSupport

@testable import PresentationTerminal

@Suite("A frame holds whole characters in cells")
struct FrameTests {
    @Test(
        "Text is drawn, truncated and aligned within its width",
        arguments: [
            ("BTC", 0, 10, Frame.Alignment.leading, "BTC       "),
            ("비트", 2, 6, .leading, "  비트    "), ("비트", 2, 6, .trailing, "    비트  "),
            ("비트코인", 0, 7, .leading, "비트코…   "), ("비트코인", 0, 6, .leading, "비트…     "),
            ("비트코인", 4, .max, .leading, "    비트… "), ("비트코인", 0, 1, .trailing, "…         "),
            ("ab", 9, .max, .leading, "         …"), ("가", 9, .max, .leading, "         …"),
            ("x", 10, .max, .leading, "          "), ("x", 0, 0, .leading, "          "),
            ("x", -3, .max, .leading, "x         "), ("a\u{1B}b", 0, 9, .leading, "a�b       "),
            ("e\u{301}\u{302}\u{303}!", 0, 9, .leading, "e\u{301}\u{302}!        "),
            ("한\u{1112}\u{1161}\u{11AB}!", 0, 9, .leading, "한\u{1112}\u{1161}\u{11AB}!     "),
            ("👨‍👩‍👧!", 0, 9, .leading, "👨!       "), ("🇰🇷!", 0, 9, .leading, "🇰\u{FE0F}!       "),
        ]
    )
    func draw(
        text: String,
        column: Int,
        width: Int,
        alignment: Frame.Alignment,
        expected: String
    ) {
        var frame = Frame(size: TerminalSize(columns: 10, rows: 1))
        frame.draw(text, row: 0, column: column, width: width, alignment: alignment)
        #expect(frame.lines[0].unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test("Rows outside the grid are ignored", arguments: [-1, 1, 99])
    func outside(row: Int) {
        var frame = Frame(size: TerminalSize(columns: 4, rows: 1))
        #expect(frame.draw("abc", row: row, column: 0) == 0)
        frame.fill(row: row, columns: 0..<4, style: .bold)
        #expect(frame == Frame(size: TerminalSize(columns: 4, rows: 1)))
        #expect(frame.style(row: row, column: 0) == .plain)
    }

    @Test(
        "Overwriting half of a wide character blanks the other half",
        arguments: [(0, "x 나다"), (1, " x나다"), (2, "가x 다"), (3, "가 x다"), (5, "가나 x")]
    )
    func overwrite(column: Int, expected: String) {
        var frame = Frame(size: TerminalSize(columns: 6, rows: 1))
        frame.draw("가나다", row: 0, column: 0)
        frame.draw("x", row: 0, column: column)
        #expect(frame.lines == [expected])
    }

    @Test("A wide character over two others blanks both neighbors")
    func overwriteWide() {
        var frame = Frame(size: TerminalSize(columns: 6, rows: 1))
        frame.draw("가나다", row: 0, column: 0)
        frame.draw("힣", row: 0, column: 1)
        #expect(frame.lines == [" 힣 다"])
        frame.fill(row: 0, columns: 2..<5)
        #expect(frame.lines == ["      "])
    }

    @Test("Styles apply to text and fills")
    func styles() {
        var frame = Frame(size: TerminalSize(columns: 6, rows: 2))
        frame.fill(row: 1, columns: 0..<6, style: CellStyle(emphasis: .reverse))
        frame.draw("가", row: 1, column: 2, style: CellStyle(.up, emphasis: .bold))
        #expect(frame.style(row: 1, column: 1) == CellStyle(emphasis: .reverse))
        #expect(frame.style(row: 1, column: 2) == CellStyle(.up, emphasis: .bold))
        #expect(frame.style(row: 1, column: 3) == CellStyle(.up, emphasis: .bold))
        #expect(frame.style(row: 0, column: 2) == .plain)
        #expect(CellStyle.bold.reversed.reversed == .bold)
    }

    @Test("A frame differs in every cell from none and from another size")
    func wholeFrames() {
        var frame = Frame(size: TerminalSize(columns: 4, rows: 2))
        frame.draw("가나", row: 1, column: 0)
        #expect(frame.runs(since: frame).isEmpty)
        #expect(frame.runs(since: nil).map(\.columns) == [0..<4, 0..<4])
        let other = Frame(size: TerminalSize(columns: 5, rows: 2))
        #expect(frame.runs(since: other).count == 2)
    }

    @Test(
        "A changed run includes wide characters whole",
        arguments: [
            ("abcdef", "abXdef", [2..<3]), ("abcdef", "XbcdeX", [0..<1, 5..<6]),
            ("가나다", "가라다", [2..<4]), ("가나다", "ab나다", [0..<2]), ("abcdef", "a가def", [1..<3]),
            ("a가 b", " 가 b", [0..<1]), (" 가가 ", "가가  ", [0..<5]),
        ]
    )
    func runs(before: String, after: String, expected: [Range<Int>]) {
        func frame(_ text: String) -> Frame {
            var frame = Frame(size: TerminalSize(columns: 6, rows: 1))
            frame.draw(text, row: 0, column: 0)
            return frame
        }
        #expect(frame(after).runs(since: frame(before)).map(\.columns) == expected)
    }

    @Test("Applying runs to the earlier frame gives the later one", arguments: 0..<100)
    func runsAreEnough(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let size = TerminalSize(
            columns: Int.random(in: 1...30, using: &generator),
            rows: Int.random(in: 1...5, using: &generator)
        )
        var before = Frame(size: size)
        scribble(on: &before, &generator)
        var after = before
        scribble(on: &after, &generator)
        var patched = before
        for run in after.runs(since: before) {
            let start = run.row * size.columns
            let range = (start + run.columns.lowerBound)..<(start + run.columns.upperBound)
            // A run that began or ended within a character could not be sent.
            #expect(!after.cells[range.lowerBound].isRightHalf)
            #expect(after.cells[range.upperBound - 1].columns < 2)
            patched.cells.replaceSubrange(range, with: after.cells[range])
        }
        #expect(patched == after)
        for line in after.lines { #expect(TextWidth.columns(line) == size.columns) }
    }

    private func scribble(on frame: inout Frame, _ generator: inout SeededGenerator) {
        for _ in 0..<4 {
            frame.draw(
                RandomText.make(length: Int.random(in: 0...8, using: &generator), &generator),
                row: Int.random(in: -1...frame.size.rows, using: &generator),
                column: Int.random(in: -2...frame.size.columns, using: &generator),
                width: Int.random(in: 0...20, using: &generator),
                alignment: Bool.random(using: &generator) ? .leading : .trailing,
                style: Bool.random(using: &generator) ? .plain : .bold
            )
        }
    }
}

@Suite("Sizes and colors match the terminal's limits")
struct TerminalTraitsTests {
    @Test(
        "A size is clamped",
        arguments: [(80, 24, 80, 24), (0, 0, 1, 1), (-5, 3, 1, 3), (99_999, 2_000, 1_000, 1_000)]
    )
    func size(columns: Int, rows: Int, expectedColumns: Int, expectedRows: Int) {
        let size = TerminalSize(columns: columns, rows: rows)
        #expect(size.columns == expectedColumns)
        #expect(size.rows == expectedRows)
    }

    @Test(
        "Color depth follows the terminal, and NO_COLOR overrides it",
        arguments: [
            (-1, [:], ColorDepth.none), (0, [:], .none), (2, [:], .none), (8, [:], .eight),
            (16, [:], .sixteen), (88, [:], .sixteen), (256, [:], .indexed256),
            (1 << 24, [:], .trueColor), (256, ["NO_COLOR": "1"], .none),
            (256, ["NO_COLOR": ""], .indexed256),
        ]
    )
    func depth(count: Int, environment: [String: String], expected: ColorDepth) {
        #expect(ColorDepth(colorCount: count, environment: environment) == expected)
    }

    @Test(
        "COLORTERM states 24-bit colors, except in GNU screen",
        arguments: [
            ([:], false), (["COLORTERM": "truecolor"], true), (["COLORTERM": "24bit"], true),
            (["COLORTERM": "TrueColor"], true), (["COLORTERM": "yes"], false),
            (["COLORTERM": ""], false), (["COLORTERM": "truecolor", "STY": "1.x"], false),
        ]
    )
    func trueColor(environment: [String: String], isStated: Bool) {
        #expect(ColorDepth.isTrueColorStated(in: environment) == isStated)
    }

    @Test("Rising is red and falling blue, or cyan where no blue is readable")
    func colors() {
        func pair(_ depth: ColorDepth) -> [TerminalColor] {
            [Theme(colors: depth).color(of: .up), Theme(colors: depth).color(of: .down)]
        }
        #expect(pair(.none) == [.standard, .standard])
        #expect(pair(.eight) == [.index(1), .index(6)])
        #expect(pair(.sixteen) == [.index(9), .index(14)])
        #expect(pair(.indexed256) == [.index(167), .index(68)])
        #expect(
            pair(.trueColor) == [
                .rgb(red: 208, green: 92, blue: 74), .rgb(red: 85, green: 126, blue: 230),
            ]
        )
    }

    @Test("Palette indexes are the nearest of the color cube")
    func nearest() throws {
        let steps = [0, 95, 135, 175, 215, 255]
        for role in [CellStyle.Role.up, .down, .average1, .average2, .average3, .average4] {
            guard
                case .rgb(let red, let green, let blue) = Theme(colors: .trueColor).color(of: role),
                case .index(let index) = Theme(colors: .indexed256).color(of: role)
            else {
                Issue.record("no shade for \(role)")
                continue
            }
            func distance(_ place: Int) -> Int {
                let parts = [place / 36, place / 6 % 6, place % 6].map { steps[$0] }
                return zip(parts, [red, green, blue]).reduce(0) {
                    $0 + ($1.0 - Int($1.1)) * ($1.0 - Int($1.1))
                }
            }
            let best = try #require((0..<216).min { distance($0) < distance($1) })
            #expect(Int(index) == 16 + best)
        }
    }

    @Test("A meaning is bold only with eight colors", arguments: ColorDepth.allCases)
    func emphasis(depth: ColorDepth) {
        let theme = Theme(colors: depth)
        #expect(theme.emphasis(of: .up) == (depth == .eight ? .bold : []))
        #expect(theme.emphasis(of: .plain) == [])
        #expect(theme.color(of: .plain) == .standard)
    }
}
