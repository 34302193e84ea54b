import DataSourceContracts
import Domain

/// The last trades of each market on a stream of API 2.x, to drop messages that arrive twice.
///
/// A trade's id is unique, so two equal messages are one trade. Messages without an id cannot be
/// told from equal trades and pass, as in API 1.x.
struct RecentTrades: Sendable {
    /// How many trades of a market are remembered: more than a market has in a second, after which
    /// a repeated message is not expected.
    static let countMax = 256

    /// Hashes of the last trades of a market; the oldest is overwritten.
    private struct Recent {
        var hashes: [Int] = []
        var next = 0

        mutating func add(_ hash: Int) -> Bool {
            if hashes.contains(hash) { return false }
            if hashes.count < countMax {
                hashes.append(hash)
            } else {
                hashes[next] = hash
                next = (next + 1) % countMax
            }
            return true
        }
    }

    private var markets: [String: Recent] = [:]

    /// Adds a trade.
    ///
    /// - Returns: false if it is known.
    mutating func add(_ trade: MarketTradeDTO) -> Bool {
        guard trade.sequentialID != nil else { return true }
        guard markets[trade.market] != nil || markets.count < MarketBoard.marketsMax else {
            return true
        }
        return markets[trade.market, default: Recent()].add(trade.hashValue)
    }
}
