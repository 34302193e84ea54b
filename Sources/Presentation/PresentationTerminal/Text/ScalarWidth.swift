/// The terminal width of a single Unicode scalar.
///
/// Follows Unicode 15 (UAX #11, EastAsianWidth.txt, seen 2026-11) as terminals apply it: Wide and
/// Fullwidth take two columns, Ambiguous one, marks none.
enum ScalarWidth {
    /// One column.
    case narrow
    /// Two columns.
    case wide
    /// None: it is drawn over the character before it.
    case mark
    /// Not drawn, no column: joiners and other formatting characters.
    case invisible
    /// Unsafe for a terminal or of unknown width: replaced.
    case replaced

    /// 가 to 힣.
    static let hangulSyllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    /// Requests the emoji form of the preceding character.
    static let emojiVariation: Unicode.Scalar = "\u{FE0F}"
    private static let joiner: Unicode.Scalar = "\u{200D}"

    /// The width of a single scalar.
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

    /// Whether a scalar between others of this set is a character by itself.
    ///
    /// True for most of the list: ASCII, Hangul syllables, arrows, lines and shapes. Some have
    /// emoji forms, but the variation selector is not in this set.
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

extension ScalarWidth {
    /// East Asian Wide and Fullwidth scalars of Unicode 15, ascending.
    ///
    /// Unassigned gaps within a script are included: such codes are replaced before their width
    /// matters.
    static let wideRanges: [ClosedRange<UInt32>] = [
        // Initial consonants of conjoining jamo.
        0x1100...0x115F,
        // Clocks, arrows of players, and the other signs that have a colorful form by default.
        0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693,
        0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE,
        0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA,
        0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C,
        0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0,
        0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
        // Radicals, punctuation, kana, compatibility jamo, enclosed letters, ideographs, Yi.
        0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
        // Further initial consonants, Hangul syllables, compatibility ideographs.
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        // Vertical and small forms, fullwidth letters and signs.
        0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        // Tangut, Khitan, historic kana, Nushu.
        0x16FE0...0x18CD5, 0x18D00...0x18D08, 0x1AFF0...0x1B2FB,
        // Tiles, cards, enclosed ideographs.
        0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A,
        0x1F200...0x1F265,
        // Pictures.
        0x1F300...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393,
        0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4,
        0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D,
        0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596,
        0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC,
        0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC,
        0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
        0x1F947...0x1F9FF, 0x1FA70...0x1FAFF,
        // Ideographs of the supplementary planes, present and to come.
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
