/// Quote currency of a market.
public enum Quote: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Korean won.
    case krw = "KRW"
    /// Bitcoin.
    case btc = "BTC"

    /// Won before bitcoin.
    public static func < (left: Quote, right: Quote) -> Bool {
        left == .krw && right == .btc
    }
}

/// Identifies a market: a coin and its quote currency, `BTC_KRW`.
public struct MarketID: Sendable, Hashable, Comparable {
    /// Maximum length of a coin code in bytes; codes on the exchange have at most 10.
    public static let symbolBytesMax = 20

    /// The coin's code, upper case: `BTC`, `1INCH`, `SUN_OLD`.
    public let symbol: String
    /// The quote currency.
    public let quote: Quote

    /// Makes an identifier from the exchange's spelling of a coin code.
    ///
    /// - Returns: nil unless the code has 1...20 characters of `A`-`Z`, `0`-`9` and `_`.
    public init?(symbol: String, quote: Quote) {
        let bytes = symbol.utf8
        guard !bytes.isEmpty, bytes.count <= Self.symbolBytesMax else { return nil }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"):
                continue
            default: return nil
            }
        }
        self.symbol = symbol
        self.quote = quote
    }

    /// Parses `BTC_KRW` as the stream writes it, split at the last underscore.
    public init?(name: String) {
        guard let underscore = name.utf8.lastIndex(of: UInt8(ascii: "_")),
            let quote = Quote(rawValue: String(name[name.utf8.index(after: underscore)...]))
        else { return nil }
        self.init(symbol: String(name[..<underscore]), quote: quote)
    }

    /// Parses any spelling: `BTC_KRW`, `btc_krw`, `KRW-BTC`.
    public init?(anySpelling text: String) {
        // Some non-ASCII letters have ASCII upper cases: `ı` must not become `I`.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let upper = text.uppercased()
        if let market = MarketID(name: upper) {
            self = market
            return
        }
        guard let dash = upper.utf8.firstIndex(of: UInt8(ascii: "-")),
            let quote = Quote(rawValue: String(upper[..<dash]))
        else { return nil }
        self.init(symbol: String(upper[upper.utf8.index(after: dash)...]), quote: quote)
    }

    /// Parses what people type: `BTC_KRW`, `BTC-KRW`, `BTC/KRW` and the exchange's `KRW-BTC`.
    ///
    /// Won is a quote currency wherever it stands. Without won the quote of `ETH-BTC` and of the
    /// exchange's `BTC-ETH` is bitcoin.
    public init?(typed text: String) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let upper = text.uppercased()
        let parts = upper.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
            .map(String.init)
        guard parts.count == 2 else {
            self.init(name: upper)
            return
        }
        for quote in [Quote.krw, .btc] {
            guard let place = parts.lastIndex(of: quote.rawValue) else { continue }
            let symbol = parts[1 - place]
            guard symbol != quote.rawValue else { return nil }
            self.init(symbol: symbol, quote: quote)
            return
        }
        return nil
    }

    /// `BTC_KRW`.
    public var name: String { symbol + "_" + quote.rawValue }

    /// Alphabetical by symbol, then won before bitcoin: a total order.
    public static func < (left: MarketID, right: MarketID) -> Bool {
        left.symbol == right.symbol ? left.quote < right.quote : left.symbol < right.symbol
    }
}
