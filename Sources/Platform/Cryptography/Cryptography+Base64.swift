extension Cryptography {
    /// Writes bytes in Base64 with padding, without line breaks.
    ///
    /// Source: RFC 4648, section 4.
    public static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let present = min(3, bytes.count - start)
            var group = UInt32(bytes[start]) << 16
            if present > 1 { group |= UInt32(bytes[start + 1]) << 8 }
            if present > 2 { group |= UInt32(bytes[start + 2]) }
            // n bytes fill n + 1 digits; padding takes the rest of the four.
            for digit in 0..<4 {
                let index = Int(group >> (18 - 6 * UInt32(digit)) & 0x3f)
                text.append(digit <= present ? base64Digits[index] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The digit for each value from 0 to 63.
    private static let base64Digits = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
}
