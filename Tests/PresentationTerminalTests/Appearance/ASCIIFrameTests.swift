import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("ASCII frames: same cell positions, printable ASCII only")
struct ASCIIFrameTests {
    private func frame(_ text: String, _ style: CellStyle = .plain, columns: Int = 12) -> Frame {
        var frame = Frame(size: TerminalSize(columns: columns, rows: 1))
        frame.draw(text, row: 0, column: 0, style: style)
        return frame
    }

    @Test(
        "A character drawn by hoga has an ASCII replacement, any other becomes question marks",
        arguments: [
            ("BTC/KRW +1%", "BTC/KRW +1% "), ("┌─ 1 ─┐", "+- 1 -+     "),
            ("│▲ ▼│", "|/ \\|       "),
            ("›★ ☆ ●○✕", ">* - oxX    "), ("a…", "a~          "), ("↑ ↓ ← →", "^ v < >     "),
            ("비트 x", "???? x      "), ("e\u{301}é", "e?          "), ("🚀", "??          "),
            ("╌┈┊", "-.:         "), ("a – b · c", "a - b . c   "), ("\u{1B}[2J", "?[2J        "),
        ]
    )
    func forms(text: String, expected: String) {
        #expect(frame(text).inASCII.lines == [expected])
    }

    @Test("A longer bar has more filled cells from either edge, and rising candles are outlines")
    func bars() {
        func bar(_ eighths: Int64, _ alignment: Frame.Alignment) -> String {
            var frame = Frame(size: TerminalSize(columns: 4, rows: 1))
            QuantityBar.draw(
                FixedDecimal(units: FixedDecimal.unitsPerOne / 32 * Int128(eighths)),
                row: 0,
                columns: 0..<4,
                alignment: alignment,
                style: CellStyle(.bar, on: .ask),
                in: &frame
            )
            let ascii = frame.inASCII
            #expect(!(0..<4).contains { ascii.style(row: 0, column: $0).emphasis == .reverse })
            return ascii.lines[0]
        }
        #expect(
            [0, 1, 4, 7, 8, 12, 32].map { bar($0, .leading) } == [
                "    ", "-   ", "=   ", "#   ", "#   ", "#=  ", "####",
            ]
        )
        #expect(
            [0, 1, 4, 7, 8, 12, 32].map { bar($0, .trailing) } == [
                "    ", "   -", "   =", "   #", "   #", "  =#", "####",
            ]
        )
        #expect(frame("▁▂▃▄▅▆▇█", CellStyle(.down)).inASCII.lines == ["_-=#####    "])
        #expect(frame("▁▂▃▄▅▆▇█", CellStyle(.up)).inASCII.lines == ["_-=ooooo    "])
    }

    @Test("Each of the 256 braille cells has a replacement that matches its dots")
    func dots() {
        for value in UInt32(0x2800)...0x28FF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let form = frame(String(Character(scalar)), columns: 1).inASCII.lines[0]
            #expect((form == " ") == (value == 0x2800))
            #expect(TextWidth.isPrintableASCII(form) && form != "?")
        }
        #expect(frame("⠉⠒⠤⣀⡠⠊⢀⠔⠑⢄⡇").inASCII.lines[0].hasPrefix("'--_"))
        #expect(frame("⡰⢎⢆").inASCII.lines[0].first == "/")
        #expect(frame("⢣").inASCII.lines[0].first != " ")
    }

    @Test("The ASCII spinner turns")
    func spinner() {
        let pictures = (0..<10).map { step in
            let moment = Timestamp(microseconds: Int64(step) * 250_000)
            return frame(Spinner.text(at: moment)).inASCII.lines[0]
        }
        #expect(Set(pictures).count >= 4)
        #expect(!pictures.contains { $0.hasPrefix(" ") || $0.hasPrefix("?") })
    }

    @Test("Random drawings contain one printable ASCII character per cell", arguments: 0..<200)
    func property(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var before = Frame(size: TerminalSize(columns: 40, rows: 6))
        for _ in 0..<12 {
            before.draw(
                RandomText.make(length: 12, &generator),
                row: Int.random(in: 0..<6, using: &generator),
                column: Int.random(in: 0..<40, using: &generator),
                style: Bool.random(using: &generator) ? .bold : .dim
            )
        }
        let after = before.inASCII
        #expect(after.inASCII == after)
        for (line, old) in zip(after.lines, before.lines) {
            #expect(line.utf8.count == 40 && TextWidth.isPrintableASCII(line))
            #expect(TextWidth.columns(old) == 40)
        }
        for (cell, old) in zip(after.cells, before.cells) {
            #expect(cell.columns == 1 && cell.style == old.style)
            if old.columns == 1, old.base < 0x7F { #expect(cell.base == old.base) }
        }
    }
}
