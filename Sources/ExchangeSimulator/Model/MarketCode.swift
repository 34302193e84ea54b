import Domain

extension MarketID {
    /// Parses `KRW-BTC`, the spelling of API 2.x, split at the first hyphen; nil for other cases of
    /// letters.
    init?(code: some StringProtocol) {
        let parts = code.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let quote = Quote(rawValue: String(parts[0])) else { return nil }
        self.init(symbol: String(parts[1]), quote: quote)
    }

    /// `KRW-BTC`.
    var code: String { quote.rawValue + "-" + symbol }
}
