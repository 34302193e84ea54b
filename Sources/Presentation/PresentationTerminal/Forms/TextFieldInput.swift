import ViewStates

/// How much is removed from the end of a field's text.
public enum FieldPart: Sendable, Hashable, CaseIterable {
    /// The last character, a whole syllable.
    case character
    /// The last word, with the blanks behind it.
    case word
    /// All of it.
    case all
}

/// What is typed or pasted into a field of one line: of a search, or of a form.
enum TextFieldInput {
    /// The longest text of a field, in characters; more is not taken.
    static let lengthMax = 64
    /// And in Unicode scalars: one character may be made of any number of combining marks, while
    /// a decomposed Hangul syllable needs three.
    static let scalarsMax = 3 * lengthMax

    /// A text with as much of another behind it as there is room for, without what cannot stand
    /// on a line.
    ///
    /// - Returns: nil if nothing was taken.
    static func appended(_ text: String, to present: String) -> String? {
        var result = present
        var room = scalarsMax - present.unicodeScalars.count
        for scalar in text.unicodeScalars where isVisible(scalar) {
            var longer = result
            longer.unicodeScalars.append(scalar)
            // Counted joined: a vowel or an accent belongs to a character that is already there.
            guard room > 0, longer.count <= lengthMax else { break }
            result = longer
            room -= 1
        }
        return result.unicodeScalars.count > present.unicodeScalars.count ? result : nil
    }

    /// A text with the whole of another behind it; a blank stands for each of its characters that
    /// cannot stand on a line, so that what a line end parts is not joined.
    ///
    /// - Returns: nil if there is no room for all of it.
    static func appendedWhole(_ text: String, to present: String) -> String? {
        var result = present
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: result.unicodeScalars.append(" ")
            case .format: continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        guard result.unicodeScalars.count <= scalarsMax, result.count <= lengthMax else {
            return nil
        }
        return result
    }

    /// A text without a part of its end.
    ///
    /// - Returns: nil if there is nothing to remove.
    static func shortened(_ text: String, by part: FieldPart) -> String? {
        guard !text.isEmpty else { return nil }
        switch part {
        case .character: return String(text.dropLast())
        case .word:
            guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
            let start = text[..<end].lastIndex(where: \.isWhitespace)
            return start.map { String(text[...$0]) } ?? ""
        case .all: return ""
        }
    }

    /// Whether a scalar may stand on one line of a screen.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
