/// What hoga knows of the Korean script: composing conjoining letters and initial consonants.
public enum HangulText: Sendable {
    private static let syllableBase: UInt32 = 0xAC00
    private static let syllableLast: UInt32 = 0xD7A3
    private static let leadBase: UInt32 = 0x1100
    private static let vowelBase: UInt32 = 0x1161
    private static let tailBase: UInt32 = 0x11A7
    private static let leadCount: UInt32 = 19
    private static let vowelCount: UInt32 = 21
    private static let tailCount: UInt32 = 28

    /// The nineteen initial consonants as people type them alone (ㄱ … ㅎ), in syllable order.
    private static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)

    /// The text with conjoining letters (as some systems type and store Hangul) composed to
    /// syllables.
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

    /// The initial consonant of a syllable, as it is typed alone: ㅂ of 비; nil for anything else.
    public static func initialConsonant(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard scalar.value >= syllableBase, scalar.value <= syllableLast else { return nil }
        return initials[Int((scalar.value - syllableBase) / (vowelCount * tailCount))]
    }

    /// Whether the scalar is one of the nineteen initial consonants, typed alone.
    public static func isInitialConsonant(_ scalar: Unicode.Scalar) -> Bool {
        initials.contains(scalar)
    }
}
