/// Operations on the Korean script: composing conjoining jamo and extracting initial consonants.
public enum HangulText: Sendable {
    private static let syllableBase: UInt32 = 0xAC00
    private static let syllableLast: UInt32 = 0xD7A3
    private static let leadBase: UInt32 = 0x1100
    private static let vowelBase: UInt32 = 0x1161
    private static let tailBase: UInt32 = 0x11A7
    private static let leadCount: UInt32 = 19
    private static let vowelCount: UInt32 = 21
    private static let tailCount: UInt32 = 28

    /// The nineteen initial consonants as typed alone (ㄱ … ㅎ), in syllable order.
    private static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)
    /// Consonant clusters that keyboards join, and their parts.
    private static let clusters: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ㄳ": ["ㄱ", "ㅅ"], "ㄵ": ["ㄴ", "ㅈ"], "ㄶ": ["ㄴ", "ㅎ"], "ㄺ": ["ㄹ", "ㄱ"],
        "ㄻ": ["ㄹ", "ㅁ"], "ㄼ": ["ㄹ", "ㅂ"], "ㄽ": ["ㄹ", "ㅅ"], "ㄾ": ["ㄹ", "ㅌ"],
        "ㄿ": ["ㄹ", "ㅍ"], "ㅀ": ["ㄹ", "ㅎ"], "ㅄ": ["ㅂ", "ㅅ"],
    ]

    /// The text with conjoining jamo (as some systems type and store Hangul) composed to syllables.
    public static func composed(_ scalars: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        for scalar in scalars {
            guard let last = result.last?.value else {
                result.append(scalar)
                continue
            }
            let lead = last &- leadBase
            let vowel = scalar.value &- vowelBase
            let tail = scalar.value &- tailBase
            if lead < leadCount, vowel < vowelCount {
                replaceLast(
                    of: &result,
                    with: syllableBase + (lead * vowelCount + vowel) * tailCount
                )
            } else if last >= syllableBase, last <= syllableLast,
                (last - syllableBase) % tailCount == 0, tail > 0, tail < tailCount
            {
                replaceLast(of: &result, with: last + tail)
            } else {
                result.append(scalar)
            }
        }
        return result
    }

    private static func replaceLast(of scalars: inout [Unicode.Scalar], with value: UInt32) {
        guard let scalar = Unicode.Scalar(value) else { return }
        scalars[scalars.count - 1] = scalar
    }

    /// The initial consonant of a syllable as typed alone: ㅂ of 비; nil for anything else.
    public static func initialConsonant(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard scalar.value >= syllableBase, scalar.value <= syllableLast else { return nil }
        return initials[Int((scalar.value - syllableBase) / (vowelCount * tailCount))]
    }

    /// The initial consonants of a single letter: ㅂ and ㅅ for the cluster ㅄ, ㅂ for its conjoining
    /// form; the scalar itself for anything else.
    static func consonants(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let lead = scalar.value &- leadBase
        return lead < leadCount ? [initials[Int(lead)]] : clusters[scalar] ?? [scalar]
    }
}
