/// A coin by its code: what is deposited, withdrawn and held, whatever it is quoted in.
public struct Asset: Sendable, Hashable, Comparable {
    /// The coin's code, upper case: `BTC`, `1INCH`, `SUN_OLD`.
    public let symbol: String

    /// Makes a coin from its code as the exchange writes it.
    ///
    /// - Returns: nil unless the code has 1...20 characters of `A`-`Z`, `0`-`9` and `_`.
    public init?(symbol: String) {
        guard let market = MarketID(symbol: symbol, quote: .krw) else { return nil }
        self.symbol = market.symbol
    }

    /// Reads what a person or program may write: `BTC`, `btc`.
    public init?(anySpelling text: String) {
        // Some letters that are not ASCII have upper cases that are: `ı` is no `I` here.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        self.init(symbol: text.uppercased())
    }

    /// The coin of a market.
    public init(of market: MarketID) { symbol = market.symbol }

    /// Alphabetical by code.
    public static func < (left: Asset, right: Asset) -> Bool { left.symbol < right.symbol }
}
