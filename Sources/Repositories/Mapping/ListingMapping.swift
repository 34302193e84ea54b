import DataSourceContracts
import Domain

/// Maps a response of `ticker/ALL_…` to a listing.
enum ListingMapping {
    /// Maps a response.
    ///
    /// - Parameters:
    ///   - answer: the decoded response.
    ///   - quote: the requested quote currency.
    ///   - receivedAt: used if the response has no time.
    /// - Returns: the listing, and the number of skipped entries: those without a coin code or with
    ///   a number out of range.
    static func listing(
        _ answer: TickerAllDTO,
        quote: Quote,
        receivedAt: Timestamp
    ) -> (listing: Listing, skipped: Int) {
        var listing = Listing(
            quote: quote,
            at: time(answer.dateMilliseconds) ?? receivedAt,
            entries: [],
            suspended: answer.emptySymbols.compactMap { MarketID(symbol: $0, quote: quote) },
            unreadable: answer.skipped.compactMap { MarketID(symbol: $0.key, quote: quote) }
        )
        listing.entries.reserveCapacity(answer.tickers.count)
        var skipped = answer.skipped.count + answer.emptySymbols.count - listing.suspended.count
        for ticker in answer.tickers {
            let market = MarketID(symbol: ticker.symbol, quote: quote)
            if let market, let entry = entry(ticker, market: market) {
                listing.entries.append(entry)
            } else {
                skipped += 1
                if let market { listing.unreadable.append(market) }
            }
        }
        return (listing, skipped)
    }

    private static func time(_ milliseconds: Int64?) -> Timestamp? {
        guard let milliseconds, ExchangeDates.milliseconds.contains(milliseconds) else {
            return nil
        }
        return Timestamp(milliseconds: milliseconds)
    }

    private static func entry(_ ticker: TickerDTO, market: MarketID) -> ListingEntry? {
        var entry = ListingEntry(market: market)
        do throws(FixedDecimalError) {
            entry.price = try price(ticker.closingPrice)
            entry.previousClose = try price(ticker.prevClosingPrice)
            entry.openToday = try price(ticker.openingPrice)
            entry.highToday = try price(ticker.maxPrice)
            entry.lowToday = try price(ticker.minPrice)
            entry.tradeValueToday = try amount(ticker.accTradeValue)
            entry.volumeToday = try amount(ticker.unitsTraded)
            entry.volume24h = try amount(ticker.unitsTraded24H)
            entry.tradeValue24h = try amount(ticker.accTradeValue24H)
            entry.changeRate24h = try value(ticker.fluctateRate24H)
            // In BTC markets the exchange rounds the amount to an integer, which is useless.
            if market.quote == .krw { entry.changeAmount24h = try value(ticker.fluctate24H) }
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

    /// A volume or turnover; nil for a negative one.
    private static func amount(
        _ wire: WireDecimal?
    ) throws(FixedDecimalError) -> FixedDecimal? {
        guard let amount = try value(wire), amount.sign >= 0 else { return nil }
        return amount
    }

    /// A price; nil for 0, which the exchange sends without one.
    private static func price(
        _ wire: WireDecimal?
    ) throws(FixedDecimalError) -> FixedDecimal? {
        guard let price = try value(wire), price.sign > 0 else { return nil }
        return price
    }
}
