/// Any text as PostgreSQL's text, which has no U+0000: `\` becomes `\\`, and U+0000 `\0`.
///
/// Both ways are each other's inverse; text without either is copied untouched.
enum PostgreSQLText {
    private static let escape = UInt8(ascii: "\\")
    private static let zero = UInt8(ascii: "0")

    /// Appends the bytes of a text as PostgreSQL keeps them.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        guard text.utf8.contains(where: { $0 == escape || $0 == 0 }) else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for byte in text.utf8 {
            switch byte {
            case escape: bytes += [escape, escape]
            case 0: bytes += [escape, zero]
            default: bytes.append(byte)
            }
        }
    }

    /// Reads what ``append(_:to:)`` wrote.
    ///
    /// What it cannot have written (a lone `\`, bytes that are no UTF-8) stays as it is or becomes
    /// U+FFFD: somebody else wrote it.
    static func text(of bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(escape) else { return String(decoding: bytes, as: UTF8.self) }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch (byte, rest.first) {
            case (escape, escape):
                plain.append(escape)
                rest.removeFirst()
            case (escape, zero):
                plain.append(0)
                rest.removeFirst()
            case (_, _): plain.append(byte)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
