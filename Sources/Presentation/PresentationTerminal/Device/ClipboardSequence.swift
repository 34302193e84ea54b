/// The control sequence OSC 52, with which a terminal puts a text into its clipboard.
///
/// Source: xterm, Control Sequences, "Manipulate Selection Data" (seen 2026-11).
enum ClipboardSequence {
    /// The most bytes of a text: terminals drop what is much longer.
    static let textBytesMax = 48 << 10

    private static let digits = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    /// The sequence for a text of at most ``textBytesMax`` bytes.
    static func bytes(_ text: String) -> [UInt8] {
        Array("\u{1B}]52;c;".utf8) + base64(Array(text.utf8)) + [0x07]
    }

    /// RFC 4648, section 4.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                let digit = digits[Int(bits >> (18 - 6 * place) & 0x3F)]
                text.append(place <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return text
    }
}
