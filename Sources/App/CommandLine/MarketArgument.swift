import Domain
import Repositories

/// A market as people name it on the command line.
///
/// A pair in any usual spelling is taken as it is: a coin listed today has no built-in name. A word
/// without a quote currency must be the code or the name of a coin with a built-in name, and means
/// its won market.
enum MarketArgument {
    /// The spellings, for texts of flags and operands.
    static let examples = "BTC_KRW, BTC-KRW, KRW-BTC, BTC/KRW or btc"

    /// Parses a market.
    ///
    /// - Parameters:
    ///   - text: the argument.
    ///   - subject: the operand or flag in the error message.
    /// - Returns: the market, which need not be listed.
    /// - Throws: ``ProgramError`` `usage` with suggestions.
    static func market(_ text: String, of subject: String) throws(ProgramError) -> MarketID {
        do throws(InputError) {
            return try market(text)
        } catch {
            guard case .unknownAsset(let nearest) = error.reason, !nearest.isEmpty else {
                throw ProgramError(
                    .usage,
                    "\(subject): '\(text)' is not a market; use e.g. BTC_KRW"
                )
            }
            throw ProgramError(
                .usage,
                "\(subject): '\(text)' is not a market. Did you mean "
                    + nearest.joined(separator: ", ") + "?"
            )
        }
    }

    /// The suggestions for a word that is no market; empty for a market or without suggestions.
    static func suggestions(for text: String) -> [String] {
        do throws(InputError) {
            _ = try market(text)
            return []
        } catch {
            if case .unknownAsset(let nearest) = error.reason { return nearest }
            return []
        }
    }

    /// Parses a market; nil for anything else.
    static func known(_ text: String) -> MarketID? { try? market(text) }

    /// The names of markets, as the parameters of documents spell them.
    ///
    /// Unreadable ones stay as they are, because the document reports them.
    static func names(_ list: String) -> String {
        list.split(separator: ",", omittingEmptySubsequences: false)
            .map { known(String($0))?.name ?? String($0) }
            .joined(separator: ",")
    }

    private static func market(_ text: String) throws(InputError) -> MarketID {
        if let market = MarketID(typed: text) { return market }
        let asset = try KnownCoins(symbols: [String](), names: EmbeddedCoinNames().names())
            .asset(text)
        guard let market = MarketID(symbol: asset.symbol, quote: .krw) else {
            throw InputError(.noAsset)
        }
        return market
    }
}
