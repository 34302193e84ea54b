import Domain

extension MarketID {
    /// Parses `KRW-XRP`, the form of API 2.x, at the first dash; nil for an unknown quote currency.
    init?(code: String) {
        guard let dash = code.utf8.firstIndex(of: UInt8(ascii: "-")),
            let quote = Quote(rawValue: String(code[..<dash]))
        else { return nil }
        self.init(symbol: String(code[code.utf8.index(after: dash)...]), quote: quote)
    }

    /// Parses the symbol of a message that both generations have: `XRP_KRW` or `KRW-XRP`.
    init?(symbol: String) {
        // A coin code has no dash.
        guard let market = MarketID(code: symbol) ?? MarketID(name: symbol) else { return nil }
        self = market
    }
}
