import TestSupport

/// Texts that are hard on a screen.
enum RandomText {
    private static let pieces = [
        "a", "7", " ", "가", "힣", "ㅋ", "\u{1112}\u{1161}\u{11AB}", "\u{1100}", "e\u{301}",
        "\u{301}", "🚀", "👨‍👩‍👧", "🇰🇷", "1️⃣", "漢", "कि", "\u{1B}[2J", "\u{7}", "\n", "\r\n", "\u{202E}",
        "\u{200D}", "\u{FE0F}", "▲", "…", "\u{200F}", "\u{2067}", "\u{2066}", "א", "\u{85}",
    ]

    static func make(length: Int, _ generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<length { text += pieces.randomElement(using: &generator) ?? "" }
        return text
    }
}
