import DataSources
import Domain

/// Turns an answer of `ticker/ALL_…` into a listing.
enum ListingMapping {
    /// Maps an answer.
    ///
    /// - Parameters:
    ///   - answer: the decoded answer.
    ///   - quote: the quote currency it was asked for.
    ///   - receivedAt: stands in for the exchange's time where the answer has none.
    /// - Returns: the listing, and how many entries were left out because a code is no coin code or
    ///   a number is out of range.
    static func listing(
        _ answer: TickerAllDTO,
        quote: Quote,
        receivedAt: Timestamp
    ) -> (listing: Listing, skipped: Int) {
        var entries: [ListingEntry] = []
        entries.reserveCapacity(answer.tickers.count)
        var skipped = answer.skipped.count
        for ticker in answer.tickers {
            if let entry = entry(ticker, quote: quote) {
                entries.append(entry)
            } else {
                skipped += 1
            }
        }
        let suspended = answer.emptySymbols.compactMap { MarketID(symbol: $0, quote: quote) }
        skipped += answer.emptySymbols.count - suspended.count
        let at = answer.dateMilliseconds.map { Timestamp(milliseconds: $0) } ?? receivedAt
        return (
            Listing(quote: quote, at: at, entries: entries, suspended: suspended), skipped
        )
    }

    private static func entry(_ ticker: TickerDTO, quote: Quote) -> ListingEntry? {
        guard let market = MarketID(symbol: ticker.symbol, quote: quote) else { return nil }
        var entry = ListingEntry(market: market)
        do throws(FixedDecimalError) {
            entry.price = try price(ticker.closingPrice)
            entry.previousClose = try price(ticker.prevClosingPrice)
            entry.volumeToday = try value(ticker.unitsTraded)
            entry.volume24h = try value(ticker.unitsTraded24H)
            entry.tradeValue24h = try value(ticker.accTradeValue24H)
            entry.changeRate24h = try value(ticker.fluctateRate24H)
            // In BTC markets the exchange rounds the amount to an integer: it says nothing.
            if quote == .krw { entry.changeAmount24h = try value(ticker.fluctate24H) }
        } catch {
            return nil
        }
        return entry
    }

    private static func value(
        _ wire: WireDecimal?
    ) throws(FixedDecimalError) -> FixedDecimal? {
        guard let wire else { return nil }
        return try FixedDecimal(wire)
    }

    /// A price; the exchange writes 0 where there is none.
    private static func price(
        _ wire: WireDecimal?
    ) throws(FixedDecimalError) -> FixedDecimal? {
        guard let price = try value(wire), price.sign > 0 else { return nil }
        return price
    }
}
