import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Printed ASCII text")
struct ASCIITextTests {
    @Test(
        "A character keeps its width or is omitted",
        arguments: [
            ("a ~\n", "a ~\n"), ("가 a", "?? a"), ("▲ ▼ · –", "/ \\ . -"), ("a\u{301}", "a"),
            ("₩1…", "W1~"),
        ]
    )
    func characters(text: String, expected: String) {
        #expect(ASCIIText.text(text) == expected)
    }

    @Test("The list keeps its columns without Korean names")
    func list() {
        let document = Samples.document(feed: .simulated, filtered: 5).inASCII
        let drawn = PlainTextList.text(of: document, language: .english)
        let text = ASCIIText.text(drawn)
        let lines = text.split(separator: "\n")
        #expect(
            zip(lines, drawn.split(separator: "\n")).allSatisfy { line, other in
                TextWidth.isPrintableASCII(String(line))
                    && line.utf8.count == TextWidth.columns(String(other))
            }
        )
        let names = lines.compactMap { $0.split(separator: "/KRW").first }
        #expect(names.count > 4 && !names.contains { $0.contains("?") }, "\(text)")
    }

    @Test("Sentences are printable, and updates contain only changes")
    func sentences() {
        let document = Samples.document(feed: .simulated, filtered: 5)
        let page = SpokenPage(document.inASCII, .english).inASCII
        #expect(
            page.text.split(separator: "\n").allSatisfy { TextWidth.isPrintableASCII(String($0)) }
        )
        #expect(page.text(since: page, .english).hasSuffix("0 changed"))
    }
}
