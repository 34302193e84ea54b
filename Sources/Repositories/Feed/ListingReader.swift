public import DataSourceContracts
import Domain

/// Reads the listings of one API generation.
public enum ListingReader: Sendable {
    /// API 1.x: one call for each quote currency, which names its markets.
    case v1(any TickerSource)
    /// API 2.x: the names of all markets, then their tickers.
    case v2(any MarketReferenceSource, any MarketTickerSource)

    /// Whether the exchange lists a market; makes one request.
    ///
    /// - Throws: ``DataSourceError``.
    public func isAnswered() async throws(DataSourceError) -> Bool {
        switch self {
        case .v1(let source): try await !source.tickers(quote: Quote.krw.rawValue).tickers.isEmpty
        case .v2(let names, _): try await !names.markets().markets.isEmpty
        }
    }

    /// The listing of one quote currency.
    struct Reading: Sendable {
        var listing: Listing
        /// The number of skipped entries.
        var skipped: Int
        /// The feed that the server names; nil if it names none, as the exchange does.
        var feedLabel: String?
    }

    /// The markets of a round of listings, as their API spells them; nil if the listings name them.
    ///
    /// - Throws: ``DataSourceError`` `malformed` if there is no won market.
    func markets() async throws(DataSourceError) -> [String]? {
        switch self {
        case .v1: return nil
        case .v2(let names, _):
            let codes = try await names.markets().markets.map(\.market)
            guard codes.contains(where: { MarketID(code: $0)?.quote == .krw }) else {
                throw DataSourceError(.malformed, "market/all: a response without a won market")
            }
            return codes
        }
    }

    /// Reads one listing.
    ///
    /// - Parameters:
    ///   - quote: the quote currency.
    ///   - markets: what ``markets()`` returned in this round.
    ///   - now: the local wall clock, for a response without a time.
    /// - Returns: the listing.
    /// - Throws: ``DataSourceError`` `malformed` for won without a market.
    func listing(
        of quote: Quote,
        among markets: [String]?,
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
            let codes = (markets ?? []).filter { MarketID(code: $0)?.quote == quote }
            let response = try await source.tickers(markets: codes)
            let (listing, skipped) = MarketTickerMapping.listing(
                codes.compactMap { MarketID(code: $0) },
                quote: quote,
                response,
                receivedAt: now()
            )
            return Reading(listing: listing, skipped: skipped, feedLabel: response.feedLabel)
        }
    }
}

extension TickerAllDTO {
    /// Whether no market is named, not even an unreadable one.
    fileprivate var isEmpty: Bool {
        tickers.isEmpty && emptySymbols.isEmpty && skipped.isEmpty
    }
}
