import Presentation

/// What of typed and pasted text goes into the search field.
enum SearchInput {
    /// The longest search text, in characters.
    static let charactersMax = MarketListReducer.searchLengthMax
    /// And in scalars, so that no character is a tower of marks; decomposed Hangul needs three.
    static let scalarsMax = 3 * charactersMax

    /// The part of `text` that may be added to what the field holds.
    ///
    /// Controls, line ends and invisible characters are dropped; what is too much is cut.
    static func accepted(_ text: String, after current: String) -> String {
        var scalars = current.unicodeScalars.count
        var kept = String.UnicodeScalarView()
        var joined = current
        for scalar in text.unicodeScalars where isVisible(scalar) {
            guard scalars < scalarsMax else { break }
            joined.unicodeScalars.append(scalar)
            // Counted joined: a final consonant completes a character that is already there.
            guard joined.count <= charactersMax else { break }
            kept.append(scalar)
            scalars += 1
        }
        return String(kept)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch ScalarWidth.of(scalar) {
        case .narrow, .wide, .mark: true
        case .invisible, .replaced: false
        }
    }
}
