/// A random text with many characters that JSON writers and screens handle wrongly.
public func randomText(
    length: Int,
    using generator: inout some RandomNumberGenerator
) -> String {
    let awkward: [Unicode.Scalar] = [
        "\"", "\\", "/", "\u{0}", "\u{1f}", "\n", "\r", "\t", "\u{7f}", "\u{85}", "\u{2028}",
        "\u{feff}", "\u{fffd}", "\u{ffff}", "\u{10ffff}", "\u{301}", "\u{1100}", "\u{1161}", "가",
        "ㅎ", "▲", "🇰", "🚀",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<length {
        if Bool.random(using: &generator), let scalar = awkward.randomElement(using: &generator) {
            text.append(scalar)
        } else {
            // Surrogates are not scalars: use a space.
            let value = UInt32.random(in: 0...0x10_ffff, using: &generator)
            text.append(Unicode.Scalar(value) ?? " ")
        }
    }
    return String(text)
}
