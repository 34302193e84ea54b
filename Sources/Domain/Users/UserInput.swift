/// Why something that a user gave is not taken.
public struct InputError: Error, Sendable, Hashable {
    /// What is wrong with it.
    public enum Reason: Sendable, Hashable {
        /// There is nothing.
        case empty
        /// It is no plain decimal number: digits, perhaps with commas between thousands and one
        /// point.
        case notANumber
        /// It is larger than the largest that is taken, which stands here.
        case tooLarge(FixedDecimal)
        /// It has more digits behind the point than are taken, which stand here.
        case tooManyDigits(Int)
        /// It is zero or less, and has to be more.
        case zero
        /// It is less than zero, and has to be zero or more.
        case negative
        /// It has more characters than are taken, which stand here.
        case tooLong(Int)
        /// It holds characters that cannot stand on a line: zero bytes, line ends, controls.
        case unreadable
        /// It begins or ends with a space.
        case spacesAround
        /// It is no code of a coin, such as `BTC`: the name of a market, or won.
        case noAsset
        /// It is the code of no coin that is known; those that may have been meant stand here.
        case unknownAsset(nearest: [String])
    }

    /// What is wrong with it.
    public var reason: Reason

    /// Makes a refusal.
    public init(_ reason: Reason) { self.reason = reason }
}

/// Reads what a user types or sends about himself.
public enum UserInput: Sendable {
    /// The largest cash, in won.
    public static let cashMax = FixedDecimal(1_000_000_000_000_000)
    /// The largest quantity of a coin: times the price of the dearest it is still a number.
    public static let quantityMax = FixedDecimal(1_000_000_000_000)
    /// The largest average price, in won.
    public static let priceMax = FixedDecimal(1_000_000_000_000)
    /// The longest name that screens show, in characters.
    public static let displayNameMax = 40
    /// And in bytes of UTF-8: a character may be made of any number of marks.
    public static let displayNameBytesMax = 400
    /// The longest name that commands use of a user, in characters.
    public static let userNameMax = 64
    /// And in bytes of UTF-8.
    public static let userNameBytesMax = 256

    /// Reads an amount of cash in won; zero or more.
    public static func cash(_ text: String) throws(InputError) -> FixedDecimal {
        try number(text, max: cashMax)
    }

    /// Reads a quantity of a coin; above zero.
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

    /// Reads an average price in won; nothing typed means that it is not known.
    public static func averagePrice(_ text: String) throws(InputError) -> FixedDecimal? {
        if trimmed(text).isEmpty { return nil }
        return try number(text, max: priceMax)
    }

    /// Reads the code of a coin in any spelling.
    public static func asset(_ text: String) throws(InputError) -> Asset {
        let text = trimmed(text)
        guard !text.isEmpty else { throw InputError(.empty) }
        guard let asset = Asset(anySpelling: String(text)), !isCurrency(asset.symbol) else {
            throw InputError(.noAsset)
        }
        return asset
    }

    /// Reads the name that screens show; nothing typed means none.
    public static func displayName(_ text: String) throws(InputError) -> String? {
        let name = trimmed(text)
        guard !name.isEmpty else { return nil }
        guard name.utf8.count <= displayNameBytesMax, name.count <= displayNameMax else {
            throw InputError(.tooLong(displayNameMax))
        }
        try checkReadable(name)
        return String(name)
    }

    /// Reads the name that commands use of a user: as it was given, or not at all, because it is
    /// compared byte for byte.
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

    /// Refuses what cannot be seen on a line, or would change how the rest is seen.
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

    /// Whether a code is won, which is cash, or the name of a market and not of its coin.
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
            // What is no number without its sign either is refused for that.
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

    /// The digits of a whole number, without the commas that stand between its thousands.
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
