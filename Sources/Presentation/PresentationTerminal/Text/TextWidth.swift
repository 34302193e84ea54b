/// The width of texts in terminal columns, and texts made to fit a width.
public enum TextWidth: Sendable {
    /// The columns of a text when drawn.
    ///
    /// A Hangul syllable takes two, precomposed or conjoining; an emoji two; a mark none; a control
    /// character one, because a replacement is drawn.
    public static func columns(_ text: String) -> Int {
        if isPrintableASCII(text) { return text.utf8.count }
        return Glyphs(text).reduce(0) { $0 + $1.columns }
    }

    /// The text as a frame shows it: unsafe characters replaced, invisible ones removed.
    static func drawn(_ text: String) -> String {
        if isPrintableASCII(text) { return text }
        var scalars = String.UnicodeScalarView()
        for glyph in Glyphs(text) {
            scalars.append(glyph.base)
            if let mark = glyph.firstMark { scalars.append(mark) }
            if let mark = glyph.secondMark { scalars.append(mark) }
        }
        return String(scalars)
    }

    /// Whether every byte is a printable ASCII character.
    static func isPrintableASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// The text, or as many whole characters as fit before `…`.
    ///
    /// The result has at most `columns` columns; one less if a wide character does not fit.
    public static func truncated(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        var used = 0
        var kept = ""
        for character in text {
            let width = Self.columns(String(character))
            if used + width > columns { return cut(kept, to: columns) }
            used += width
            kept.append(character)
        }
        return kept
    }

    /// The text truncated or padded on its right to exactly `columns`.
    public static func leading(_ text: String, in columns: Int) -> String {
        let fitting = truncated(text, to: columns)
        return fitting + spaces(columns - Self.columns(fitting))
    }

    /// The text truncated or padded on its left to exactly `columns`.
    public static func trailing(_ text: String, in columns: Int) -> String {
        let fitting = truncated(text, to: columns)
        return spaces(columns - Self.columns(fitting)) + fitting
    }

    /// The longest suffix that fits, after `…` if truncated.
    ///
    /// For input fields, where the cursor is at the end.
    public static func end(of text: String, in columns: Int) -> String {
        guard Self.columns(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var used = 1
        var kept: [Character] = []
        for character in text.reversed() {
            used += Self.columns(String(character))
            if used > columns { break }
            kept.append(character)
        }
        return "…" + String(kept.reversed())
    }

    /// Lines of at most `columns`, broken at spaces, or within a word that is longer than a line.
    public static func wrapped(_ text: String, to columns: Int) -> [String] {
        guard columns > 1 else { return [truncated(text, to: columns)] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            var word = String(word)
            if !line.isEmpty, Self.columns(line) + 1 + Self.columns(word) <= columns {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while Self.columns(word) > columns {
                // At least one character a line, even one that is wider than the line.
                var head = String(word.removeFirst())
                while let next = word.first, Self.columns(head + String(next)) <= columns {
                    head.append(word.removeFirst())
                }
                lines.append(head)
            }
            line = word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Removes characters from the end until `…` fits.
    private static func cut(_ text: String, to columns: Int) -> String {
        var kept = text
        while Self.columns(kept) > columns - 1 { kept.removeLast() }
        return kept + "…"
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(count, 0))
    }
}
