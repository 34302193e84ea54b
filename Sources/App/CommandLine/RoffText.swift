/// Writes man(7) requests and escapes all text.
struct RoffText: Sendable {
    private(set) var text = ""

    /// The first line of a page.
    mutating func title(_ name: String, section: Int, date: String, source: String) {
        text += ".TH \(Self.quoted(name)) \(section) \(date) \(Self.quoted(source))\n"
    }

    /// Starts a section.
    mutating func section(_ name: String) { text += ".SH \(Self.quoted(name))\n" }

    /// Starts a subsection.
    mutating func subsection(_ name: String) { text += ".SS \(Self.quoted(name))\n" }

    /// A line of text in the current paragraph.
    mutating func line(_ words: String) { text += Self.escaped(words) + "\n" }

    /// A new paragraph; no request is written before the first one of a section.
    mutating func paragraph(_ words: String) {
        let isFirst = text.split(separator: "\n").last?.hasPrefix(".S") ?? true
        if !isFirst { text += ".PP\n" }
        line(words)
    }

    /// A new paragraph at the indentation of the previous item's text.
    mutating func paragraphIndented(_ words: String) {
        text += ".IP\n"
        line(words)
    }

    /// Breaks the line.
    mutating func lineBreak() { text += ".br\n" }

    /// A term and its description, with a capital first letter and a full stop added.
    mutating func item(_ term: String, asFirst sentence: String) {
        text += ".TP\n.B \(Self.escaped(term))\n"
        line(sentence.prefix(1).uppercased() + sentence.dropFirst() + ".")
    }

    /// Indented content; nothing is written if `body` writes nothing.
    mutating func indented(_ body: (inout RoffText) -> Void) {
        let length = text.count
        text += ".RS\n"
        let start = text.count
        body(&self)
        if text.count == start {
            text = String(text.prefix(length))
        } else {
            text += ".RE\n"
        }
    }

    /// Escapes backslashes, hyphens, quotes, and a leading period or apostrophe.
    static func escaped(_ words: String) -> String {
        let plain = words.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("\"", with: "\\(dq")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    private static func quoted(_ words: String) -> String { "\"" + escaped(words) + "\"" }
}
