/// A coin by its code: the unit of deposits, withdrawals and holdings, independent of quote
/// currency.
public struct Asset: Sendable, Hashable, Comparable {
    /// The coin's code, upper case: `BTC`, `1INCH`, `SUN_OLD`.
    public let symbol: String

    /// Makes a coin from the exchange's spelling of its code.
    ///
    /// - Returns: nil unless the code has 1...20 characters of `A`-`Z`, `0`-`9` and `_`.
    public init?(symbol: String) {
        guard let market = MarketID(symbol: symbol, quote: .krw) else { return nil }
        self.symbol = market.symbol
    }

    /// Parses any spelling of a code: `BTC`, `btc`.
    public init?(anySpelling text: String) {
        // Some non-ASCII letters have ASCII upper cases: `ı` must not become `I`.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        self.init(symbol: text.uppercased())
    }

    /// The coin of a market.
    public init(of market: MarketID) { symbol = market.symbol }

    /// Alphabetical by code.
    public static func < (left: Asset, right: Asset) -> Bool { left.symbol < right.symbol }
}
