import DataSourceContracts

/// Validates values for a shared store: canonical decimals, and times of the years 1 to 9999.
enum CanonicalValues {
    /// 0001-01-01 to 9999-12-31, microseconds since 1970 UTC.
    static let times: ClosedRange<Int64> =
        -62_135_596_800_000_000...253_402_300_799_999_999
    /// Maximum length of a decimal in bytes, far more digits than any amount has.
    static let decimalBytesMax = 128

    /// Refuses a text that is not a canonical decimal.
    ///
    /// - Parameters:
    ///   - text: the text, or nil.
    ///   - what: its name in the error.
    /// - Throws: ``StoreError`` with `refused`.
    static func check(decimal text: String?, _ what: StaticString) throws(StoreError) {
        guard let text, !isCanonical(text) else { return }
        throw StoreError(.refused, "\(what) is not a canonical decimal number, e.g. 0.25")
    }

    /// Refuses a time that a shared store cannot hold.
    ///
    /// - Parameters:
    ///   - time: the time in microseconds since 1970 UTC, or nil.
    ///   - what: its name in the error.
    /// - Throws: ``StoreError`` with `refused`.
    static func check(time: Int64?, _ what: StaticString) throws(StoreError) {
        guard let time, !times.contains(time) else { return }
        throw StoreError(.refused, "\(what) is outside the years 1 to 9999: check the clock")
    }

    /// Whether a text is a decimal number in canonical form: no exponent, no sign but `-`, no
    /// redundant zeros, and no `-0`.
    static func isCanonical(_ text: String) -> Bool {
        var digits = text.utf8[...]
        guard digits.count <= decimalBytesMax else { return false }
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let whole = digits.prefix(while: isDigit)
        guard let first = whole.first else { return false }
        if first == UInt8(ascii: "0"), whole.count > 1 { return false }
        let rest = digits.dropFirst(whole.count)
        if rest.isEmpty { return !(isNegative && first == UInt8(ascii: "0")) }
        let fraction = rest.dropFirst()
        return rest.first == UInt8(ascii: ".") && !fraction.isEmpty
            && fraction.allSatisfy(isDigit) && fraction.last != UInt8(ascii: "0")
    }
}

extension String {
    /// Whether its bytes come before those of another text.
    func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
