import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Prices become one row of eighth blocks")
struct SparklineTests {
    private func draw(
        _ prices: [Int64?],
        columns: Range<Int>,
        row: Int = 0
    ) -> (frame: Frame, drawn: Int) {
        let prices = prices.map { $0.map { FixedDecimal($0) } }
        var frame = Frame(size: TerminalSize(columns: 12, rows: 1))
        let drawn = Sparkline.draw(prices, row: row, columns: columns, into: &frame)
        return (frame, drawn)
    }

    @Test(
        "Any number of prices is drawn",
        arguments: [
            ([], ""), ([7], "▄"), ([7, 7, 7], "▄▄▄"), ([0, 0], "▄▄"), ([1, 8], "▁█"),
            ([10, 11, 12, 13, 14, 15, 16, 17], "▁▂▃▄▅▆▇█"), ([17, 10, 17], "█▁█"),
        ] as [([Int64], String)]
    )
    func shapes(opens: [Int64], text: String) {
        let (frame, drawn) = draw(opens, columns: 1..<11)
        expectLines(frame, " " + text)
        #expect(drawn == opens.count)
    }

    @Test("Columns shared by several prices show the newest, except the first")
    func fitted() {
        let (frame, drawn) = draw(Array(0..<90), columns: 2..<6)
        #expect(drawn == 4)
        expectLines(frame, "  ▁▄▆█")
    }

    @Test("A column's color compares with the first price")
    func colors() {
        let (frame, _) = draw([5, 4, 5, 6], columns: 0..<12)
        let roles = (0..<4).map { frame.style(row: 0, column: $0).role }
        #expect(roles == [.plain, .down, .plain, .up])
    }

    @Test("Unknown prices leave their columns empty; the first known one is the base")
    func unknown() {
        let (frame, drawn) = draw([nil, 10, nil, 17, 17, nil], columns: 0..<12)
        expectLines(frame, " ▁ ██")
        #expect(drawn == 6)
        #expect(frame.style(row: 0, column: 3).role == .up)
        // A column shows the newest known price of its group.
        expectLines(draw([10, 17, nil, nil, 17, nil], columns: 0..<3).frame, "▁ █")
        #expect(draw([nil, nil], columns: 0..<12).drawn == 0)
    }

    @Test("No room draws nothing", arguments: [0..<0, 12..<20, -4..<0])
    func noRoom(columns: Range<Int>) {
        #expect(draw([1, 2, 3], columns: columns).drawn == 0)
        #expect(draw([1, 2, 3], columns: 0..<9, row: 1).drawn == 0)
    }
}
