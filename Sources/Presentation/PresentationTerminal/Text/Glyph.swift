/// The content of one character cell: a base character and its combining marks.
///
/// All text is split into glyphs, and a text's width is the sum of its glyphs, so measuring and
/// drawing always agree.
struct Glyph: Equatable {
    /// Replaces controls, direction overrides and unassigned codes.
    static let replacement = Glyph(base: "\u{FFFD}", columns: 1)

    /// The spacing character.
    let base: Unicode.Scalar
    /// The first combining mark: a conjoining jamo vowel or final, or an accent.
    var firstMark: Unicode.Scalar?
    /// The second mark.
    ///
    /// Further marks are dropped, so that they stay within the line.
    var secondMark: Unicode.Scalar?
    /// The columns: 1 or 2.
    let columns: Int
    /// Whether it belongs to the same character as the glyph before it.
    var continuesCharacter = false

    init(base: Unicode.Scalar, columns: Int) {
        self.base = base
        self.columns = columns
    }

    /// Adds a mark if there is room.
    mutating func add(mark: Unicode.Scalar) {
        if firstMark == nil {
            firstMark = mark
        } else if secondMark == nil {
            secondMark = mark
        }
    }
}

/// The glyphs of a text, in order, made one at a time without allocating.
struct Glyphs: Sequence, IteratorProtocol {
    private var scalars: String.UnicodeScalarView.Iterator
    private var characters: String.Iterator
    /// Whether each scalar is a character by itself, so that grapheme breaking is unnecessary.
    private let isSimple: Bool
    /// Glyphs of the current character behind its first one: rare, and nearly always empty.
    private var waiting: [Glyph] = []

    init(_ text: String) {
        scalars = text.unicodeScalars.makeIterator()
        characters = text.makeIterator()
        isSimple = text.unicodeScalars.allSatisfy(ScalarWidth.standsAlone)
    }

    mutating func next() -> Glyph? {
        if isSimple {
            guard let scalar = scalars.next() else { return nil }
            let isWide = ScalarWidth.hangulSyllables.contains(scalar.value)
            return Glyph(base: scalar, columns: isWide ? 2 : 1)
        }
        if !waiting.isEmpty { return waiting.removeFirst() }
        while let character = characters.next() {
            let glyphs = Self.glyphs(of: character)
            guard let first = glyphs.first else { continue }
            waiting = Array(glyphs.dropFirst())
            return first
        }
        return nil
    }

    /// Usually one glyph; none for invisible characters, several for characters whose parts take
    /// columns, as in Indic scripts.
    private static func glyphs(of character: Character) -> [Glyph] {
        let scalars = character.unicodeScalars
        if ScalarWidth.isEmojiSequence(character), let base = scalars.first {
            // A cell holds one spacing character: of a family, its first member is shown.
            var glyph = Glyph(base: base, columns: 2)
            if ScalarWidth.of(base) != .wide { glyph.add(mark: ScalarWidth.emojiVariation) }
            return [glyph]
        }
        var glyphs: [Glyph] = []
        for scalar in scalars {
            switch ScalarWidth.of(scalar) {
            case .replaced:
                // A carriage return and its line feed are one character and one replacement.
                if glyphs.last != .replacement { glyphs.append(.replacement) }
            case .invisible: continue
            case .mark:
                // A mark without a base is not drawn.
                if !glyphs.isEmpty { glyphs[glyphs.count - 1].add(mark: scalar) }
            case .narrow:
                glyphs.append(Glyph(base: scalar, columns: 1))
            case .wide:
                glyphs.append(Glyph(base: scalar, columns: 2))
            }
        }
        for index in glyphs.indices.dropFirst() { glyphs[index].continuesCharacter = true }
        return glyphs
    }
}
