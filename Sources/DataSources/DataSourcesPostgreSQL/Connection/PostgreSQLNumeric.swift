/// Canonical decimals in PostgreSQL's binary format of `numeric`.
///
/// Source: the comment above `numeric_recv` in PostgreSQL's `numeric.c`: number of digits in base
/// 10,000, weight of the first, sign, display scale, and the digits.
enum PostgreSQLNumeric {
    /// Appends a canonical decimal.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let unsigned = text.utf8.dropFirst(isNegative ? 1 : 0)
        let whole = unsigned.prefix { $0 != UInt8(ascii: ".") }
        let fraction = unsigned.dropFirst(whole.count + 1)
        var digits: [UInt16] = []
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
        let head = [kept.count, weight, isNegative ? 0x4000 : 0, filled]
        for number in head.map({ UInt16(truncatingIfNeeded: $0) }) + kept {
            bytes.append(UInt8(truncatingIfNeeded: number >> 8))
            bytes.append(UInt8(truncatingIfNeeded: number))
        }
    }
}
