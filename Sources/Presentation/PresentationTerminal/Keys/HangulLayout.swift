/// Maps the jamo of the standard Korean keyboard (두벌식) to Latin keys.
///
/// Commands keep working while the Hangul input method is on: ㅓ acts as `j`.
enum HangulLayout {
    /// The character on the same key of a Latin keyboard; nil if it is no jamo of the keyboard.
    static func latin(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        keys[scalar]
    }

    private static let keys: [Unicode.Scalar: Unicode.Scalar] = [
        "ㅂ": "q", "ㅈ": "w", "ㄷ": "e", "ㄱ": "r", "ㅅ": "t",
        "ㅛ": "y", "ㅕ": "u", "ㅑ": "i", "ㅐ": "o", "ㅔ": "p",
        "ㅁ": "a", "ㄴ": "s", "ㅇ": "d", "ㄹ": "f", "ㅎ": "g",
        "ㅗ": "h", "ㅓ": "j", "ㅏ": "k", "ㅣ": "l",
        "ㅋ": "z", "ㅌ": "x", "ㅊ": "c", "ㅍ": "v", "ㅠ": "b", "ㅜ": "n", "ㅡ": "m",
        "ㅃ": "Q", "ㅉ": "W", "ㄸ": "E", "ㄲ": "R", "ㅆ": "T", "ㅒ": "O", "ㅖ": "P",
    ]
}
