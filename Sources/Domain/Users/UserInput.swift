/// Why input of a user is invalid.
public struct InputError: Error, Sendable, Hashable {
    /// The reasons.
    public enum Reason: Sendable, Hashable {
        /// The input is empty.
        case empty
        /// Not a decimal number: digits with optional thousands commas and one point.
        case notANumber
        /// Larger than the maximum, which is given.
        case tooLarge(FixedDecimal)
        /// More decimal places than the maximum, which is given.
        case tooManyDigits(Int)
        /// An amount of won with decimals, which won do not have.
        case wonDecimals
        /// Zero or less where it must be above zero.
        case zero
        /// Below zero where it must be zero or more.
        case negative
        /// More characters than the maximum, which is given.
        case tooLong(Int)
        /// Contains unprintable characters: zero bytes, line ends, controls.
        case unreadable
        /// Begins or ends with a space.
        case spacesAround
        /// Not a coin code such as `BTC`: a market name, or won.
        case noAsset
        /// An unknown coin code, with similar known codes.
        case unknownAsset(nearest: [String])
        /// Not a moving average such as `EMA 50` with a window in a range.
        case noAverage(ClosedRange<Int>)
        /// Not a file name that ends with `.svg` or `.txt`.
        case noFileName
    }

    /// The reason.
    public var reason: Reason

    /// Makes an error.
    public init(_ reason: Reason) { self.reason = reason }
}

/// Parses the input of a user.
public enum UserInput: Sendable {
    /// The largest cash, in won.
    public static let cashMax = FixedDecimal(1_000_000_000_000_000)
    /// The largest quantity of a coin.
    ///
    /// Times the highest price it is still representable.
    public static let quantityMax = FixedDecimal(1_000_000_000_000)
    /// The largest average price, in won.
    public static let priceMax = FixedDecimal(1_000_000_000_000)
    /// The maximum length of a display name in characters.
    public static let displayNameMax = 40
    /// The maximum length of a display name in bytes of UTF-8.
    ///
    /// A character may have any number of combining marks.
    public static let displayNameBytesMax = 400
    /// The maximum length of a token's note in characters.
    public static let noteMax = 100
    /// The maximum length of a token's note in bytes of UTF-8.
    public static let noteBytesMax = 400
    /// The maximum length of a user name in characters.
    public static let userNameMax = 64
    /// The maximum length of a user name in bytes of UTF-8.
    public static let userNameBytesMax = 256

    /// Parses an amount of cash as a person enters it: whole won, zero or more.
    public static func wholeCash(_ text: String) throws(InputError) -> FixedDecimal {
        let amount = try cash(text)
        guard amount.significantFractionDigits == 0 else { throw InputError(.wonDecimals) }
        return amount
    }

    /// Parses an amount of cash in won, zero or more, with decimals as far as a request or an older
    /// record has them.
    public static func cash(_ text: String) throws(InputError) -> FixedDecimal {
        try number(text, max: cashMax)
    }

    /// Parses a quantity of a coin, above zero.
    public static func quantity(_ text: String) throws(InputError) -> FixedDecimal {
        let quantity: FixedDecimal
        do throws(InputError) {
            quantity = try number(text, max: quantityMax)
        } catch {
            throw error.reason == .negative ? InputError(.zero) : error
        }
        guard !quantity.isZero else { throw InputError(.zero) }
        return quantity
    }

    /// Parses an average price in won; empty input means unknown.
    public static func averagePrice(_ text: String) throws(InputError) -> FixedDecimal? {
        if trimmed(text).isEmpty { return nil }
        return try number(text, max: priceMax)
    }

    /// Parses a coin code in upper or lower case.
    public static func asset(_ text: String) throws(InputError) -> Asset {
        let text = trimmed(text)
        guard !text.isEmpty else { throw InputError(.empty) }
        guard let asset = Asset(anySpelling: String(text)), !isCurrency(asset.symbol) else {
            throw InputError(.noAsset)
        }
        return asset
    }

    /// Parses a display name; empty input means none.
    public static func displayName(_ text: String) throws(InputError) -> String? {
        try words(text, max: displayNameMax, bytesMax: displayNameBytesMax)
    }

    /// Parses a token's note; empty input means none.
    public static func note(_ text: String) throws(InputError) -> String? {
        try words(text, max: noteMax, bytesMax: noteBytesMax)
    }

    /// Parses text for people, without surrounding spaces; empty input means none.
    private static func words(
        _ text: String,
        max: Int,
        bytesMax: Int
    ) throws(InputError) -> String? {
        let words = trimmed(text)
        guard !words.isEmpty else { return nil }
        guard words.utf8.count <= bytesMax, words.count <= max else {
            throw InputError(.tooLong(max))
        }
        try checkReadable(words)
        return String(words)
    }

    /// Parses a user name.
    ///
    /// The name is not normalized, because user names are compared byte for byte.
    public static func userName(_ text: String) throws(InputError) -> String {
        guard !text.isEmpty else { throw InputError(.empty) }
        guard text.utf8.count <= userNameBytesMax, text.count <= userNameMax else {
            throw InputError(.tooLong(userNameMax))
        }
        try checkReadable(text[...])
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            !first.properties.isWhitespace, !last.properties.isWhitespace
        else { throw InputError(.spacesAround) }
        return text
    }

    /// Rejects invisible characters and those that alter the display of others.
    private static func checkReadable(_ name: Substring) throws(InputError) {
        for scalar in name.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
                .privateUse:
                throw InputError(.unreadable)
            default: continue
            }
        }
    }

    /// Whether a code is won, which is cash, or a market name.
    private static func isCurrency(_ code: String) -> Bool {
        code == Quote.krw.rawValue || MarketID(name: code) != nil
    }

    private static func trimmed(_ text: String) -> Substring {
        var rest = text[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return rest
    }

    private static func number(
        _ text: String,
        max: FixedDecimal
    ) throws(InputError) -> FixedDecimal {
        let text = trimmed(text)
        guard !text.isEmpty else { throw InputError(.empty) }
        if text.first == "-", text.dropFirst().first?.isASCII == true, text.dropFirst().first != "-"
        {
            // Without its sign it may not be a number either: that reason wins.
            _ = try number(String(text.dropFirst()), max: max)
            throw InputError(.negative)
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = digits(ofThousands: parts[0]),
            let fraction = parts.count == 2 ? digits(parts[1]) : ""
        else { throw InputError(.notANumber) }
        guard fraction.utf8.count <= FixedDecimal.fractionDigits else {
            throw InputError(.tooManyDigits(FixedDecimal.fractionDigits))
        }
        let significant = whole.drop { $0 == "0" }
        guard significant.utf8.count <= 18,
            let value = try? FixedDecimal(
                parsing: String(whole) + (fraction.isEmpty ? "" : "." + fraction)
            ), value <= max
        else { throw InputError(.tooLarge(max)) }
        return value
    }

    /// The digits of a whole number without thousands commas.
    private static func digits(ofThousands text: Substring) -> Substring? {
        let groups = text.split(separator: ",", omittingEmptySubsequences: false)
        guard groups.count > 1 else { return digits(text) }
        guard (1...3).contains(groups[0].utf8.count),
            groups.dropFirst().allSatisfy({ $0.utf8.count == 3 })
        else { return nil }
        return digits(Substring(groups.joined()))
    }

    private static func digits(_ text: Substring) -> Substring? {
        let isNumber =
            !text.isEmpty
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? text : nil
    }
}
