/// Encodes rows in the binary format of `COPY`.
///
/// Source: PostgreSQL 15 manual, "COPY", section "Binary Format". `numeric` is encoded as described
/// above `numeric_recv` in `src/backend/utils/adt/numeric.c`: number of digits in base 10,000,
/// weight of the first, sign, display scale, and the digits.
struct BinaryCopyEncoder {
    private var bytes: [UInt8]
    private var digits: [UInt16] = []

    /// Begins with the header.
    ///
    /// - Parameters:
    ///   - rowBytes: approximate size of a row.
    ///   - count: number of rows.
    init(rowBytes: Int, count: Int) {
        // Signature, no flags, no header extension.
        bytes = Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0x00] + Array(repeating: 0, count: 8)
        bytes.reserveCapacity(bytes.count + rowBytes * count + 2)
    }

    /// Begins a row.
    mutating func beginRow(columns: Int16) { append(columns) }

    /// Appends a text with control characters escaped.
    mutating func append(text: String) {
        let place = bytes.count
        append(Int32(0))
        PostgreSQLText.append(text, to: &bytes)
        // The length is known now.
        let length = UInt32(bytes.count - place - 4)
        for index in 0..<4 {
            bytes[place + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index))
        }
    }

    /// Appends a time in microseconds since 1970 UTC; the years 1 to 9999 are far within its range.
    mutating func append(time: Int64) {
        append(Int32(8))
        append(time - Self.epoch)
    }

    /// Appends a canonical decimal.
    mutating func append(decimal text: String) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let unsigned = text.utf8.dropFirst(isNegative ? 1 : 0)
        let whole = unsigned.prefix { $0 != UInt8(ascii: ".") }
        append(isNegative, whole, unsigned.dropFirst(whole.count + 1))
    }

    /// Ends the rows.
    mutating func finished() -> [UInt8] {
        append(Int16(-1))
        return bytes
    }

    // MARK: Numbers

    /// 2000-01-01 UTC in microseconds since 1970.
    private static let epoch: Int64 = 946_684_800_000_000

    private mutating func append(
        _ isNegative: Bool,
        _ whole: some Collection<UInt8>,
        _ fraction: some Collection<UInt8>
    ) {
        digits.removeAll(keepingCapacity: true)
        // Digits in base 10,000 are counted from the point to both sides.
        var group: UInt16 = 0
        var left = whole.count
        for byte in whole {
            group = group * 10 + UInt16(byte - UInt8(ascii: "0"))
            left -= 1
            if left % 4 == 0 {
                digits.append(group)
                group = 0
            }
        }
        var weight = digits.count - 1
        var filled = 0
        for byte in fraction {
            group = group * 10 + UInt16(byte - UInt8(ascii: "0"))
            filled += 1
            if filled % 4 == 0 {
                digits.append(group)
                group = 0
            }
        }
        if filled % 4 != 0 {
            for _ in (filled % 4)..<4 { group *= 10 }
            digits.append(group)
        }
        // Leading and trailing zeros are not encoded.
        let leading = digits.prefix { $0 == 0 }.count
        weight -= leading
        var kept = digits[leading...]
        while kept.last == 0 { kept.removeLast() }
        if kept.isEmpty { weight = 0 }
        append(Int32(8 + 2 * kept.count))
        append(Int16(kept.count))
        append(Int16(weight))
        append(isNegative ? Int16(0x4000) : 0)
        append(Int16(filled))
        for digit in kept { append(digit) }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        // The bytes are copied before the call ends.
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}

@available(*, unavailable)
extension BinaryCopyEncoder: Sendable {}
