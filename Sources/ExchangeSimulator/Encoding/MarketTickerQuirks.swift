/// How tickers of API 2.x are written, where the exchange was seen to do it in several ways.
struct MarketTickerQuirks: Sendable, Equatable {
    /// Whether sums have 26 decimals.
    var hasLongNumbers = false
    /// Whether tickers on the stream have a date of delisting.
    var hasDelistingDates = true
    /// Whether times in REST are true, not nine hours ahead.
    var hasTrueTimes = false
}

extension WireText {
    /// The decimals of long numbers, as seen: 1.76373410121466379999997512.
    private static let longDigits = 26
    /// The most digits of a long number; few programs can hold more.
    private static let significantDigits = 36
    /// The end of the seen number, for decimals that the simulation does not have.
    private static let fill = Array("76373410121466379999997512".utf8)

    /// Appends a sum of `value` × 10^−`digits`, with the decimals that tickers have.
    mutating func append(sum value: Int128, digits: Int, _ quirks: MarketTickerQuirks) {
        let places = min(Self.longDigits, Self.significantDigits - "\(value)".utf8.count + digits)
        guard quirks.hasLongNumbers, value > 0, places > digits else {
            append(number: value, digits: digits)
            return
        }
        append(decimal: value, digits: digits)
        if digits == 0 { append(".") }
        append(Array(Self.fill.suffix(places - digits)))
    }
}
