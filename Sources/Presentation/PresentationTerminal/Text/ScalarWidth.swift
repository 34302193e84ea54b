/// How much room a single Unicode scalar takes on a terminal.
///
/// The rules are those of Unicode 15 (UAX #11, EastAsianWidth.txt, seen 2026-11) as terminals apply
/// them: Wide and Fullwidth take two columns, Ambiguous one, marks none.
enum ScalarWidth {
    /// One column.
    case narrow
    /// Two columns.
    case wide
    /// None: it is drawn over the character before it.
    case mark
    /// None, and nothing is drawn: joiners and other hints to a typesetter.
    case invisible
    /// It must not reach a terminal, or nobody knows its width: a replacement is drawn.
    case replaced

    /// 가 to 힣.
    static let hangulSyllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    /// Asks for the colourful form of the character before it.
    static let emojiVariation: Unicode.Scalar = "\u{FE0F}"
    private static let joiner: Unicode.Scalar = "\u{200D}"

    /// The width of a scalar that stands by itself.
    static func of(_ scalar: Unicode.Scalar) -> ScalarWidth {
        let value = scalar.value
        if (0x20...0x7E).contains(value) { return .narrow }
        if hangulSyllables.contains(value) { return .wide }
        // Vowels and finals of conjoining jamo sit in the syllable that the initial began.
        if jamoBehindInitial.contains(where: { $0.contains(value) }) { return .mark }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return .replaced
        case .format:
            return directionOverrides.contains { $0.contains(value) } ? .replaced : .invisible
        case .nonspacingMark, .enclosingMark:
            return .mark
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
            .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol,
            .otherSymbol, .spaceSeparator:
            return isWide(value) ? .wide : .narrow
        @unknown default:
            return .replaced
        }
    }

    /// Whether a scalar forms a character by itself as long as all its neighbours do too.
    ///
    /// True for what the list is made of: ASCII, Hangul syllables, arrows, lines and shapes. Some
    /// of them have a colourful form, but the variation that asks for it is not in this set.
    static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, hangulSyllables: true
        case 0x2190...0x21FF, 0x2500...0x25FC, 0x2800...0x28FF: true
        case 0x2026, 0x203A, 0x00B7: true
        default: false
        }
    }

    /// Whether a character is an emoji built of several scalars; all of them take two columns.
    static func isEmojiSequence(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        guard let first = scalars.first, scalars.count > 1, first.properties.isEmoji else {
            return false
        }
        return scalars.dropFirst().contains {
            $0 == emojiVariation || $0 == joiner || $0.properties.isEmojiModifier
                || (0x1F1E6...0x1F1FF).contains($0.value)
        }
    }

    private static let jamoBehindInitial: [ClosedRange<UInt32>] = [
        0x1160...0x11FF, 0xD7B0...0xD7FB,
    ]

    /// Marks, embeddings, overrides and isolates of bidirectional text: one of them in a name could
    /// turn the digits of a whole line around.
    private static let directionOverrides: [ClosedRange<UInt32>] = [
        0x061C...0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069,
    ]

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= wideRanges[0].lowerBound else { return false }
        var low = 0
        var high = wideRanges.count
        while low < high {
            let middle = (low + high) / 2
            if wideRanges[middle].upperBound < value {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < wideRanges.count && wideRanges[low].contains(value)
    }
}
