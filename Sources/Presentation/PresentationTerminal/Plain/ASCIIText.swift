/// Printed text for whoever can read ASCII alone.
public enum ASCIIText: Sendable {
    /// The same text in the printable characters of ASCII and line ends: what stands for a
    /// character on the screen stands for it here, in as many columns.
    public static func text(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                result.append(scalar)
                continue
            }
            let columns =
                switch ScalarWidth.of(scalar) {
                case .mark, .invisible: 0
                case .narrow, .replaced: 1
                case .wide: 2
                }
            let form = ASCIIForm.scalar(scalar.value)
            for _ in 0..<columns { result.append(form) }
        }
        return String(result)
    }
}

extension SpokenPage {
    /// The same sentences in the characters of ASCII.
    public var inASCII: SpokenPage {
        SpokenPage(
            heading: ASCIIText.text(heading),
            time: ASCIIText.text(time),
            sentences: sentences.map(ASCIIText.text)
        )
    }
}
