/// Decodes `%41` escapes of request targets, and `+` in their queries.
enum PercentDecoding: Sendable {
    /// Decodes bytes.
    ///
    /// - Parameters:
    ///   - bytes: the encoded bytes.
    ///   - isForm: whether `+` is a space, as it is in a query.
    ///   - keepsSlashes: whether `%2F` stays encoded, as in a path, where `/` separates segments.
    /// - Returns: nil for an incomplete escape, a zero byte, or invalid UTF-8.
    static func text(
        _ bytes: ArraySlice<UInt8>,
        isForm: Bool = false,
        keepsSlashes: Bool = false
    ) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < bytes.endIndex, let high = digit(bytes[index]),
                    let low = digit(bytes[index + 1])
                else { return nil }
                byte = high << 4 | low
                if keepsSlashes, byte == UInt8(ascii: "/") {
                    decoded += bytes[index - 1...index]
                    byte = bytes[index + 1]
                }
                index += 2
            } else if isForm, byte == UInt8(ascii: "+") {
                byte = UInt8(ascii: " ")
            }
            if byte == 0 { return nil }
            decoded.append(byte)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// The value of a hexadecimal digit; nil for another byte.
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
