public import Domain

/// Formats numbers for people.
///
/// Screens and JSON documents share these texts. Values stay exact decimals; ``FixedDecimal``
/// writes the digits.
public enum NumberText: Sendable {
    /// Lower bounds of the won price bands, highest first, and their decimals.
    private static let krwBands: [(from: FixedDecimal, decimals: Int)] = [
        (FixedDecimal(1_000), 0), (FixedDecimal(100), 1), (FixedDecimal(10), 2),
        (FixedDecimal(1), 3),
    ]
    private static let krwDecimalsBelowOne = 4
    private static let btcDecimals = 8
    private static let quantityDecimals = 4
    private static let smallestCutQuantity = FixedDecimal(units: FixedDecimal.unitsPerOne / 10_000)
    private static let unitsPerMillion = FixedDecimal.unitsPerOne * 1_000_000

    /// The minimum decimals of a price, by price band.
    ///
    /// KRW from 1,000: 0; from 100: 1; from 10: 2; from 1: 3; below: 4. BTC: 8.
    public static func priceDecimals(_ price: FixedDecimal, quote: Quote) -> Int {
        switch quote {
        case .btc: return btcDecimals
        case .krw:
            let size = price.magnitude
            for band in krwBands where size >= band.from { return band.decimals }
            return krwDecimalsBelowOne
        }
    }

    /// A price with at least the decimals of its band, and all that it has, so that adjacent ticks
    /// differ in print.
    public static func price(_ price: FixedDecimal, quote: Quote) -> String {
        grouped(price, fractionDigitsMin: priceDecimals(price, quote: quote))
    }

    /// A signed change with the decimals of its price; zero has no sign.
    public static func amount(
        _ amount: FixedDecimal,
        price: FixedDecimal?,
        quote: Quote
    ) -> String {
        if amount.isZero { return "0" }
        let decimals = priceDecimals(price ?? amount, quote: quote)
        return (amount.sign > 0 ? "+" : "") + grouped(amount, fractionDigitsMin: decimals)
    }

    /// A rate in percent with two decimals and a sign; zero has no sign.
    public static func rate(_ percent: FixedDecimal) -> String {
        let rounded = (try? percent.rounded(toFractionDigits: 2, .halfAwayFromZero)) ?? percent
        return (rounded.sign > 0 ? "+" : "") + grouped(rounded, fractionDigitsMin: 2) + "%"
    }

    /// A spread in basis points, rounded half away from zero: one decimal, below 1 two of them.
    ///
    /// A positive spread that would print as zero is `<0.01bp`.
    public static func basisPoints(_ points: FixedDecimal) -> String {
        let fine = (try? points.rounded(toFractionDigits: 2, .halfAwayFromZero)) ?? points
        if fine.isZero, points.sign > 0 { return "<0.01bp" }
        if fine.magnitude < .one { return grouped(fine, fractionDigitsMin: 2) + "bp" }
        let coarse = (try? points.rounded(toFractionDigits: 1, .halfAwayFromZero)) ?? points
        return grouped(coarse, fractionDigitsMin: 1) + "bp"
    }

    /// A trade value, truncated: millions of won, won below a million, bitcoin with three decimals.
    public static func tradeValue(
        _ value: FixedDecimal,
        quote: Quote,
        language: Language
    ) -> String {
        switch quote {
        case .btc: return truncated(value, digits: 3) + " BTC"
        case .krw:
            // At most 1.7 × 10¹⁴ millions: far within 64 bits.
            let millions = FixedDecimal(Int64(value.units / unitsPerMillion))
            if millions.isZero {
                return truncated(value, digits: 0) + LocalizedText(ko: "원", en: " KRW")[language]
            }
            return grouped(millions, fractionDigitsMin: 0)
                + LocalizedText(ko: "백만", en: "M")[language]
        }
    }

    /// A quantity truncated to four decimals; all decimals below 0.0001.
    public static func quantity(_ quantity: FixedDecimal) -> String {
        let isSmall = quantity.magnitude < smallestCutQuantity
        if isSmall { return grouped(quantity, fractionDigitsMin: quantityDecimals) }
        return truncated(quantity, digits: quantityDecimals)
    }

    /// 체결금액: whole won, or bitcoin with eight decimals.
    public static func tradeAmount(_ amount: FixedDecimal, quote: Quote) -> String {
        grouped(amount, fractionDigitsMin: amountDecimals(quote))
    }

    /// 평가금액: truncated to whole won.
    public static func won(_ amount: FixedDecimal) -> String {
        truncated(amount, digits: 0)
    }

    /// 평가손익: truncated to whole won with a sign; zero has no sign.
    public static func wonChange(_ amount: FixedDecimal) -> String {
        let text = won(amount)
        return text != "0" && amount.sign > 0 ? "+" + text : text
    }

    /// The decimals of a trade's amount: 0 in won, 8 in bitcoin.
    static func amountDecimals(_ quote: Quote) -> Int {
        switch quote {
        case .krw: 0
        case .btc: btcDecimals
        }
    }

    /// Digits in groups of three, with a minimum of decimals.
    public static func grouped(_ value: FixedDecimal, fractionDigitsMin: Int) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        value.appendText(
            to: &bytes,
            fractionDigitsMin: fractionDigitsMin,
            separator: UInt8(ascii: ",")
        )
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func truncated(_ value: FixedDecimal, digits: Int) -> String {
        let cut = (try? value.rounded(toFractionDigits: digits, .truncate)) ?? value
        return grouped(cut, fractionDigitsMin: digits)
    }
}
