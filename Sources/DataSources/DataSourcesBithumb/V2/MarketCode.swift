/// The spelling of markets in API 2.x.
enum MarketCode {
    /// `KRW-XRP` for `XRP_KRW`, split at the last underscore.
    static func code(of symbol: String) -> String {
        guard let underscore = symbol.utf8.lastIndex(of: UInt8(ascii: "_")) else { return symbol }
        let quote = symbol[symbol.utf8.index(after: underscore)...]
        return "\(quote)-\(symbol[..<underscore])"
    }
}
