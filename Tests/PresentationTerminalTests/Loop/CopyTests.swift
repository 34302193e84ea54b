import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("y copies the marked value or row, Y the screen, where the terminal takes it")
struct CopyTests {
    @Test(
        "A setting, the terminfo entry or the terminal's name allow copying",
        arguments: [
            (nil, false, [:], ClipboardAccess.unknown), (nil, true, [:], .available),
            (true, false, [:], .available), (false, true, ["TERM": "xterm-kitty"], .off),
            (nil, false, ["TERM": "xterm-kitty"], .available),
            (nil, false, ["TERM": "foot-extra"], .available),
            (nil, false, ["TERM": "xterm", "TERM_PROGRAM": "iTerm.app"], .available),
            (nil, false, ["TERM": "xterm", "TERM_PROGRAM": "WezTerm"], .available),
            (nil, false, ["TERM": "vt100", "TERM_PROGRAM": "Apple_Terminal"], .unknown),
        ] as [(Bool?, Bool, [String: String], ClipboardAccess)]
    )
    func access(
        wanted: Bool?,
        isDescribed: Bool,
        environment: [String: String],
        expected: ClipboardAccess
    ) {
        let access = ClipboardAccess(
            wanted: wanted,
            isDescribed: isDescribed,
            environment: environment
        )
        #expect(access == expected)
    }

    @Test(
        "The sequence is OSC 52 with padded base64",
        arguments: [("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu"), ("빗>?", "67mXPj8=")]
    )
    func sequence(text: String, base64: String) {
        #expect(ClipboardSequence.bytes(text) == Array("\u{1B}]52;c;\(base64)\u{7}".utf8))
    }

    private func run(
        _ keys: String,
        clipboard: ClipboardAccess = .available,
        size: TerminalSize = TerminalSize(columns: 80, rows: 16),
        isTogether: Bool = false
    ) -> (copied: [String], bottom: String) {
        let clock = ScriptedClock()
        let typed = keys.unicodeScalars.map { $0 == "\n" ? Key.enter : .character($0) }
        let screen = ScriptedScreen(
            columns: size.columns,
            rows: size.rows,
            clock: clock,
            isTogether ? [.keys(typed)] : typed.map { .keys([$0]) }
        )
        screen.clipboard = clipboard
        let model = ScriptedModel(clock: clock, count: 20)
        var loop = TerminalLoop(model: model, screen: screen, state: ScreenState())
        _ = loop.run()
        return (screen.copied, screen.drawings.last?.frame.lines.last ?? "")
    }

    @Test("The selected row is one line of text, a folded row too")
    func row() throws {
        let wide = run("jy")
        let text = try #require(wide.copied.first)
        #expect(text.contains("C1/KRW") && !text.contains("›") && !text.contains("  "))
        #expect(wide.bottom.hasPrefix("복사: 터미널로 보냈습니다"))
        let narrow = run("jy", size: TerminalSize(columns: 50, rows: 16))
        let folded = try #require(narrow.copied.first)
        #expect(folded.contains("C1/KRW") && !folded.contains("\n"))
        #expect(folded.split(separator: " ").count == text.split(separator: " ").count)
    }

    @Test("A key typed together with those before it copies the row that they lead to")
    func ahead() {
        let ahead = run("2jy", isTogether: true).copied
        #expect(ahead.count == 1 && ahead == run("2jy").copied)
        #expect(ahead != run("jy").copied)
    }

    @Test("The screen is text as drawn, without blanks at line ends")
    func screen() throws {
        let text = try #require(run("Y").copied.first)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 17 && lines.last == "")
        #expect(lines[0].hasPrefix("hoga") && lines.contains { $0.contains("› ") })
        #expect(lines.allSatisfy { $0.last != " " })
    }

    @Test("An open market gives its price, the cross-hair its candle, with exact figures")
    func market() throws {
        let state = DetailSamples.state(levels: 5, trades: 5, candles: 30)
        let price = try #require(state.header.price)
        let market = state.header.market
        #expect(
            CopiedText.value(of: state, crosshair: nil) == market + "\t" + price.canonicalText
        )
        let candle = try #require(state.chart.candles.last)
        let fields = try #require(CopiedText.value(of: state, crosshair: candle.openTime))
            .split(separator: "\t").map(String.init)
        let figures = [candle.open, candle.high, candle.low, candle.close, candle.volume]
        #expect(fields == [market, TimeText.iso(candle.openTime)] + figures.map(\.canonicalText))
        let empty = candle.openTime.advanced(by: .seconds(1))
        #expect(CopiedText.value(of: state, crosshair: empty) == nil)
    }

    @Test("Where copying is unknown or off nothing is sent, and the bottom line says how")
    func refused() {
        for access in [ClipboardAccess.unknown, .off] {
            let result = run("yY", clipboard: access)
            #expect(result.copied.isEmpty)
            #expect(result.bottom.contains("--clipboard osc52"), "\(result.bottom)")
        }
    }

    @Test("A page without a selected row has nothing to copy")
    func nothing() {
        let result = run("4y")
        #expect(result.copied.isEmpty)
        #expect(result.bottom.hasPrefix("복사할 줄이 없습니다"))
    }
}
