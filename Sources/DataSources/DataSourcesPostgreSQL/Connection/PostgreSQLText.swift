/// Escapes text for PostgreSQL, whose text has no U+0000: `\` becomes `\\`, and U+0000 `\0`.
///
/// Escaping and unescaping are inverse; text without either character is copied unchanged.
enum PostgreSQLText {
    private static let escape = UInt8(ascii: "\\")
    private static let zero = UInt8(ascii: "0")

    /// Appends the escaped bytes of a text.
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

    /// Unescapes the bytes of ``append(_:to:)``.
    ///
    /// Bytes of another writer, such as a lone `\` or invalid UTF-8, stay as they are or become
    /// U+FFFD.
    static func text(of bytes: ArraySlice<UInt8>) -> String {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var plain: [UInt8] = []
            var rest = unsafe bytes[...]
            // Copies whole runs, because escapes are rare and some texts are long.
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
