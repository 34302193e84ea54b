import DataSourceContracts
import Domain

/// Maps tickers of API 2.x to rows and listings.
enum MarketTickerMapping {
    /// Maps a ticker to an entry and its exchange time, that of the last trade.
    ///
    /// - Returns: nil for an unknown quote currency, or a price or time that cannot be.
    static func row(_ dto: MarketTickerDTO) -> (entry: ListingEntry, at: Timestamp)? {
        guard let market = MarketID(code: dto.market),
            ExchangeDates.milliseconds.contains(dto.tradedAtMilliseconds),
            let price = price(dto.tradePrice)
        else { return nil }
        let at = Timestamp(milliseconds: dto.tradedAtMilliseconds)
        var entry = ListingEntry(market: market)
        entry.price = price
        entry.tradedAt = at
        entry.isSuspended = dto.isSuspended
        entry.previousClose = dto.prevClosingPrice.flatMap(Self.price)
        entry.volume24h = dto.accTradeVolume24H.flatMap(amount)
        entry.tradeValue24h = dto.accTradePrice24H.flatMap(amount)
        entry.openToday = dto.openingPrice.flatMap(Self.price)
        entry.highToday = dto.highPrice.flatMap(Self.price)
        entry.lowToday = dto.lowPrice.flatMap(Self.price)
        entry.volumeToday = dto.accTradeVolume.flatMap(amount)
        entry.tradeValueToday = dto.accTradePrice.flatMap(amount)
        return (entry, at)
    }

    /// Maps the tickers of one quote currency to a listing.
    ///
    /// - Parameters:
    ///   - listed: all listed markets of the currency; those without a ticker stay unchanged.
    ///   - quote: the quote currency.
    ///   - dto: the decoded response.
    ///   - at: exchange time after which every row was read.
    /// - Returns: the listing, and the number of skipped rows.
    static func listing(
        _ listed: [MarketID],
        quote: Quote,
        _ dto: MarketTickersDTO,
        at: Timestamp
    ) -> (listing: Listing, skipped: Int) {
        let rows = dto.tickers.compactMap(row)
        var missing = Set(listed)
        for row in rows { missing.remove(row.entry.market) }
        let skipped = dto.skippedCount + dto.tickers.count - rows.count
        let listing = Listing(
            quote: quote,
            at: at,
            entries: rows.map(\.entry),
            suspended: [],
            // A market whose row is missing beside unreadable ones may be one of those.
            unreadable: missing.sorted()
        )
        return (listing, skipped)
    }

    /// A volume or turnover; nil for a negative one or one out of range.
    private static func amount(_ wire: WireDecimal) -> FixedDecimal? {
        guard let amount = try? FixedDecimal(wire), amount.sign >= 0 else { return nil }
        return amount
    }

    /// A price; nil for 0 and one out of range.
    private static func price(_ wire: WireDecimal) -> FixedDecimal? {
        guard let price = try? FixedDecimal(wire), price.sign > 0 else { return nil }
        return price
    }
}
