/// Bytes as text of a column: two lower-case digits each.
enum Hexadecimal: Sendable {
    /// Writes bytes.
    static func text(of bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }
        .joined()
    }

    /// Reads bytes; nil for any other text.
    static func bytes(of text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
            guard pair.first != "+", pair.first != "-", let byte = UInt8(pair, radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
