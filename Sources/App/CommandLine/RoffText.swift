/// Writes the requests of man(7), with all text escaped.
struct RoffText: Sendable {
    private(set) var text = ""

    /// The first line of a page.
    mutating func title(_ name: String, section: Int, date: String, source: String) {
        text += ".TH \(Self.quoted(name)) \(section) \(date) \(Self.quoted(source))\n"
    }

    /// Begins a section.
    mutating func section(_ name: String) { text += ".SH \(Self.quoted(name))\n" }

    /// Begins a part of a section.
    mutating func subsection(_ name: String) { text += ".SS \(Self.quoted(name))\n" }

    /// A line of text that goes on with what stands before it.
    mutating func line(_ words: String) { text += Self.escaped(words) + "\n" }

    /// Text of its own; the one that a section begins with begins it.
    mutating func paragraph(_ words: String) {
        let isFirst = text.split(separator: "\n").last?.hasPrefix(".S") ?? true
        if !isFirst { text += ".PP\n" }
        line(words)
    }

    /// Text of its own that stands as far in as that of the item before it.
    mutating func paragraphIndented(_ words: String) {
        text += ".IP\n"
        line(words)
    }

    /// Ends the line.
    mutating func lineBreak() { text += ".br\n" }

    /// A term and the sentence that explains it, which begins here with a capital letter and ends
    /// with a full stop.
    mutating func item(_ term: String, asFirst sentence: String) {
        text += ".TP\n.B \(Self.escaped(term))\n"
        line(sentence.prefix(1).uppercased() + sentence.dropFirst() + ".")
    }

    /// What stands further in.
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

    /// The text as it is meant: backslashes and hyphens stand for themselves, and no line begins a
    /// request.
    static func escaped(_ words: String) -> String {
        let plain = words.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("\"", with: "\\(dq")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    private static func quoted(_ words: String) -> String { "\"" + escaped(words) + "\"" }
}
