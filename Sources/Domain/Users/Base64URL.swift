/// Base64 with the alphabet for addresses and file names, without padding.
///
/// Source: RFC 4648, section 5.
enum Base64URL {
    private static let digits = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// The bytes as text; each 6 bits are a digit, the last one filled with zeros.
    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 8 + 5) / 6)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> count & 0x3f)])
            }
            bits &= (1 << count) - 1
        }
        if count > 0 { text.append(digits[Int(bits << (6 - count))]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether this is one of the digits, in ASCII.
    static func isDigit(_ byte: UInt8) -> Bool {
        digits.contains(byte)
    }

    /// Whether ``text(_:)`` writes this for some bytes, so many of them.
    static func isText(_ text: some Collection<UInt8>, ofBytes count: Int) -> Bool {
        guard text.count == (count * 8 + 5) / 6 else { return false }
        var last = 0
        for character in text {
            guard let value = digits.firstIndex(of: character) else { return false }
            last = value
        }
        // The bits that fill the last digit up are zeros: no two texts mean the same bytes.
        let filling = text.count * 6 - count * 8
        return last & ((1 << filling) - 1) == 0
    }
}
