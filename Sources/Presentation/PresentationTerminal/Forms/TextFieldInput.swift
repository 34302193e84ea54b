import ViewStates

/// How much is removed from the end of a field's text.
public enum FieldPart: Sendable, Hashable, CaseIterable {
    /// The last character, a whole syllable.
    case character
    /// The last word and the spaces after it.
    case word
    /// All of it.
    case all
}

/// Editing of single-line input: search fields and form fields.
enum TextFieldInput {
    /// The maximum length of a field in characters.
    static let lengthMax = 64
    /// And in Unicode scalars: one character may be made of any number of combining marks, while
    /// a decomposed Hangul syllable needs three.
    static let scalarsMax = 3 * lengthMax

    /// Appends as much of a text as fits, without control characters.
    ///
    /// - Returns: nil if nothing was appended.
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

    /// Appends a whole text; line breaks and control characters become spaces, so that lines are
    /// not joined.
    ///
    /// - Returns: nil if the whole is longer than `lengthMax` characters.
    static func appendedWhole(
        _ text: String,
        to present: String,
        _ lengthMax: Int = lengthMax
    ) -> String? {
        var result = present
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: result.unicodeScalars.append(" ")
            case .format: continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        guard result.unicodeScalars.count <= 3 * lengthMax, result.count <= lengthMax else {
            return nil
        }
        return result
    }

    /// Removes a part of the end.
    ///
    /// - Returns: nil if the text is empty.
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

    /// Whether a scalar can be shown in a single line.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
