import Cryptography

/// The control sequence OSC 52, with which a terminal puts a text into its clipboard.
///
/// Source: xterm, Control Sequences, "Manipulate Selection Data" (seen 2026-11).
enum ClipboardSequence {
    /// The most bytes of a text: terminals drop what is much longer.
    static let textBytesMax = 48 << 10

    /// The sequence for a text of at most ``textBytesMax`` bytes.
    static func bytes(_ text: String) -> [UInt8] {
        let encoded = Cryptography.base64(Array(text.utf8))
        return Array("\u{1B}]52;c;\(encoded)\u{7}".utf8)
    }
}
