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
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var plain: [UInt8] = []
            var rest = unsafe bytes[...]
            // Whole stretches at a time: hardly any text has an escape, and some are long.
            while let found = unsafe rest.firstIndex(of: escape) {
                unsafe plain.append(contentsOf: rest[..<found])
                let next = unsafe found + 1 < rest.endIndex ? rest[found + 1] : nil
                plain.append(next == zero ? 0 : escape)
                let isPair = next == zero || next == escape
                unsafe rest = rest[(found + (isPair ? 2 : 1))...]
            }
            guard !plain.isEmpty else { return unsafe String(decoding: rest, as: UTF8.self) }
            unsafe plain.append(contentsOf: rest)
            return String(decoding: plain, as: UTF8.self)
        }
    }
}
