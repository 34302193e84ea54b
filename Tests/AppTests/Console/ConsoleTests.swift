import Testing

@testable import App

@Suite("Messages on standard error")
struct ConsoleTests {
    @Test(
        "cannot move the cursor or hide text, but keep their lines",
        arguments: [
            ("hoga: a problem", "hoga: a problem"),
            ("Usage: hoga\n\n  --help  말\n", "Usage: hoga\n\n  --help  말\n"),
            ("refused: \u{1B}[2J\u{1B}]0;x\u{7}", "refused: \\u001b[2J\\u001b]0;x\\u0007"),
            ("a\rb\u{8}c\u{9B}d\u{202E}e", "a\\u000db\\u0008c\\u009bd\\u202ee"),
            ("a\r\nb", "a\\u000d\nb"),
        ]
    )
    func printable(text: String, wanted: String) {
        #expect(Console.printable(text) == wanted)
    }
}
