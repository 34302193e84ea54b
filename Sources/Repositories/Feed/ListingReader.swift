public import DataSourceContracts
import Domain

/// Reads the listings of one API generation.
public enum ListingReader: Sendable {
    /// API 1.x: one call for each quote currency, which names its markets.
    case v1(any TickerSource)
    /// API 2.x: the names of all markets, then their tickers.
    case v2(any MarketReferenceSource, any MarketTickerSource)

    /// Asks whether the exchange lists markets, with one request to each address of a listing.
    ///
    /// - Throws: ``DataSourceError``; `malformed` if it lists none.
    public func check() async throws(DataSourceError) {
        let isEmpty: Bool
        switch self {
        case .v1(let source):
            isEmpty = try await source.tickers(quote: Quote.krw.rawValue).tickers.isEmpty
        case .v2(let names, let source):
            // Others cannot be asked for, and are skipped in a listing, too.
            let code = try await names.markets().markets.lazy.map(\.market)
                .first { MarketID(code: $0) != nil }
            if let code { _ = try await source.tickers(markets: [code]) }
            isEmpty = code == nil
        }
        if isEmpty { throw DataSourceError(.malformed, "a response without a market") }
    }

    /// The listing of one quote currency.
    struct Reading: Sendable {
        var listing: Listing
        /// The number of skipped entries.
        var skipped: Int
        /// Exchange time after which all of the round was read; nil if each listing has its own.
        var asOf: Timestamp?
        /// The feed that the server names; nil if it names none, as the exchange does.
        var feedLabel: String?
    }

    /// The markets of a round of listings.
    struct Markets: Sendable {
        /// The markets, as their API spells them.
        var codes: [String]
        /// The number of rows without a readable market.
        var skipped: Int
    }

    /// The markets of a round of listings; nil if the listings name them.
    ///
    /// - Throws: ``DataSourceError`` `malformed` if there is no won market.
    func markets() async throws(DataSourceError) -> Markets? {
        switch self {
        case .v1: return nil
        case .v2(let names, _):
            let response = try await names.markets()
            let codes = response.markets.map(\.market)
            guard codes.contains(where: { MarketID(code: $0)?.quote == .krw }) else {
                throw DataSourceError(.malformed, "market/all: a response without a won market")
            }
            return Markets(codes: codes, skipped: response.skippedCount)
        }
    }

    /// Reads one listing.
    ///
    /// - Parameters:
    ///   - quote: the quote currency.
    ///   - markets: what ``markets()`` returned in this round.
    ///   - asOf: the time of the round, from the listing before; nil for the first one.
    ///   - now: the local wall clock, for a response without a time.
    /// - Returns: the listing.
    /// - Throws: ``DataSourceError`` `malformed` for won without a market.
    func listing(
        of quote: Quote,
        among markets: Markets?,
        asOf: Timestamp?,
        now: @Sendable () -> Timestamp
    ) async throws(DataSourceError) -> Reading {
        switch self {
        case .v1(let source):
            let response = try await source.tickers(quote: quote.rawValue)
            if quote == .krw, response.isEmpty {
                throw DataSourceError(.malformed, "ticker/ALL_KRW: a response without a market")
            }
            let (listing, skipped) = ListingMapping.listing(
                response,
                quote: quote,
                receivedAt: now()
            )
            return Reading(listing: listing, skipped: skipped, feedLabel: response.feedLabel)
        case .v2(_, let source):
            let codes = (markets?.codes ?? []).filter { MarketID(code: $0)?.quote == quote }
            let response = try await source.tickers(markets: codes)
            // Bitcoin markets may not have traded for hours, so the won markets are the clock.
            let newest = response.asOfMilliseconds.map(Timestamp.init(milliseconds:))
            let at = asOf ?? newest ?? now()
            let (listing, skipped) = MarketTickerMapping.listing(
                codes.compactMap { MarketID(code: $0) },
                quote: quote,
                response,
                at: at
            )
            // The rows of the round are counted once, with its first listing.
            return Reading(
                listing: listing,
                skipped: skipped + (asOf == nil ? markets?.skipped ?? 0 : 0),
                asOf: at,
                feedLabel: response.feedLabel
            )
        }
    }
}

extension TickerAllDTO {
    /// Whether no market is named, not even an unreadable one.
    fileprivate var isEmpty: Bool {
        tickers.isEmpty && emptySymbols.isEmpty && skipped.isEmpty
    }
}
