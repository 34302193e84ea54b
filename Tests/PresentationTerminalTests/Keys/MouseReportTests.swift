import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Mouse reports decode into clicks, movements and wheel steps")
struct MouseReportTests {
    private static func units(_ text: String) -> [InputUnit] { text.utf8.map { .byte($0) } }

    @Test(
        "Reports and their events",
        arguments: [
            ("\u{1B}[<0;1;1M", MouseEvent(.click, row: 0, column: 0)),
            ("\u{1B}[<0;312;87M", MouseEvent(.click, row: 86, column: 311)),
            ("\u{1B}[<4;12;7M", MouseEvent(.click, row: 6, column: 11)),
            ("\u{1B}[<64;12;7M", MouseEvent(.wheelUp, row: 6, column: 11)),
            ("\u{1B}[<81;12;7M", MouseEvent(.wheelDown, row: 6, column: 11)),
            ("\u{1B}[M ,\u{27}", MouseEvent(.click, row: 6, column: 11)),
            ("\u{1B}[Ma,\u{27}", MouseEvent(.wheelDown, row: 6, column: 11)),
            ("\u{1B}[<32;12;7M", MouseEvent(.drag, row: 6, column: 11)),
            ("\u{1B}[<48;12;7M", MouseEvent(.drag, row: 6, column: 11)),
            ("\u{1B}[<0;12;7m", MouseEvent(.release, row: 6, column: 11)),
            ("\u{1B}[M@,\u{27}", MouseEvent(.drag, row: 6, column: 11)),
            ("\u{1B}[M#,\u{27}", MouseEvent(.release, row: 6, column: 11)),
            // Other buttons, movement without one, and places that there are not.
            ("\u{1B}[<1;12;7M", nil), ("\u{1B}[<2;12;7m", nil), ("\u{1B}[<35;12;7M", nil),
            ("\u{1B}[<34;12;7M", nil), ("\u{1B}[<32;12;7m", nil), ("\u{1B}[<66;12;7M", nil),
            ("\u{1B}[<2;12;7M", nil), ("\u{1B}[<128;12;7M", nil), ("\u{1B}[<0;0;7M", nil),
            ("\u{1B}[<0;7;0M", nil), ("\u{1B}[<0;7;0m", nil),
        ] as [(String, MouseEvent?)]
    )
    func reports(text: String, expected: MouseEvent?) {
        let events = expected.map { [InputEvent.mouse($0)] } ?? []
        // In pieces of all sizes: a reading may end anywhere behind what begins a report.
        for cut in 3...text.utf8.count {
            var decoder = KeyDecoder()
            let units = Self.units(text)
            let first = decoder.decode(Array(units.prefix(cut)))
            let second = decoder.decode(Array(units.dropFirst(cut)))
            #expect(first + second == events, "cut at \(cut)")
            #expect(decoder.decode(Self.units("z")) == [.key(.character("z"))])
        }
    }

    @Test("The prefix may be a unit, as ncurses reports it")
    func unit() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([.mouseBegin] + Self.units("0;5")).isEmpty)
        let events = decoder.decode(Self.units(";2Mj"))
        let click = MouseEvent(.click, row: 1, column: 4)
        #expect(events == [.mouse(click), .key(.character("j"))])
    }

    @Test(
        "An invalid report is abandoned, and its bytes are keys",
        arguments: [
            ("\u{1B}[<j", "j"), ("\u{1B}[<0j", "j"), ("\u{1B}[<;;M", ";;M"),
            ("\u{1B}[<0;1M", "M"), ("\u{1B}[<0;1;Mx", "Mx"), ("\u{1B}[<0;1;2;3M", ";3M"),
            ("\u{1B}[<999999", ""), ("\u{1B}[<0;1\u{1B}[<1;1;1m", ""), ("\u{1B}[M\u{1B}Oxy", "y"),
        ]
    )
    func garbage(text: String, keys: String) {
        var decoder = KeyDecoder()
        let events = decoder.decode(Self.units(text)) + decoder.decode(Self.units("z"))
        let typed = events.compactMap { event -> Unicode.Scalar? in
            guard case .key(.character(let scalar)) = event else { return nil }
            return scalar
        }
        #expect(String(String.UnicodeScalarView(typed)).hasPrefix(keys), "\(events)")
        #expect(typed.last == "z")
        #expect(!events.contains { if case .mouse = $0 { true } else { false } })
    }

    @Test("Reports inside a paste are pasted text")
    func paste() {
        var decoder = KeyDecoder()
        let units = Self.units("a\u{1B}[<0;1;1Mb")
        #expect(decoder.decode([.pasteBegin] + units + [.pasteEnd]) == [.paste("ab")])
    }

    @Test("Random bytes give no event outside a screen and lose no later keys", arguments: 0..<200)
    func anything(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("\u{1B}[<;Mm0123456789 j".utf8)
        var decoder = KeyDecoder()
        for _ in 0..<30 {
            let count = Int.random(in: 0...25, using: &generator)
            let units: [InputUnit] = (0..<count).map { _ in
                if Int.random(in: 0..<15, using: &generator) == 0 { return .mouseBegin }
                return .byte(alphabet.randomElement(using: &generator) ?? 0x20)
            }
            for case .mouse(let event) in decoder.decode(units) {
                #expect(event.row >= 0 && event.row < 100_000)
                #expect(event.column >= 0 && event.column < 100_000)
            }
        }
        _ = decoder.decode(Self.units("kkk"))
        #expect(decoder.decode(Self.units("j")) == [.key(.character("j"))])
    }
}
