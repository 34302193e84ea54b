import Domain
import Testing

@testable import PresentationTerminal

@Suite("A bar is proportional to an eighth of a column")
struct QuantityBarTests {
    private func line(_ ratio: String, _ alignment: Frame.Alignment) -> Frame {
        var frame = Frame(size: TerminalSize(columns: 6, rows: 1))
        QuantityBar.draw(
            DetailSamples.decimal(ratio),
            row: 0,
            columns: 1..<5,
            alignment: alignment,
            style: CellStyle(.bar, on: .ask),
            in: &frame
        )
        return frame
    }

    @Test(
        "Left bars use blocks, right bars the reversed remainder",
        arguments: [
            ("0", "      ", "      "), ("1", " ████ ", " ████ "), ("7", " ████ ", " ████ "),
            ("-1", "      ", "      "), ("0.5", " ██   ", "   ██ "), ("0.25", " █    ", "    █ "),
            ("0.28", " █▏   ", "   ▉█ "), ("0.47", " █▉   ", "   ▏█ "),
            ("0.0001", " ▏    ", "    ▉ "),
        ]
    )
    func lengths(ratio: String, leading: String, trailing: String) {
        #expect(line(ratio, .leading).lines == [leading])
        #expect(line(ratio, .trailing).lines == [trailing])
    }

    @Test("Only the partial cell is reversed")
    func reversed() {
        let frame = line("0.28", .trailing)
        #expect(frame.style(row: 0, column: 4) == CellStyle(.bar, on: .ask))
        #expect(frame.style(row: 0, column: 3) == CellStyle(.bar, on: .ask).reversed)
        #expect(frame.style(row: 0, column: 2) == .plain)
    }
}
