import DataSourceContracts
import Domain

/// The state of order book streams: REST reads the books that a stream does not deliver.
extension DetailFetchScheduler {
    /// Stores that snapshots of these markets arrived on the stream.
    ///
    /// REST still reads books of more levels than a frame has.
    mutating func noteSnapshots(
        of markets: Set<MarketID>,
        in generation: APIGeneration,
        at now: Duration
    ) {
        for market in markets {
            let deep = DetailInterest(market: market, facet: .deepBook)
            guard generation == .v1 || !open.contains(deep) else { continue }
            entries[.book(market)]?.snapshotAt = now
        }
    }

    /// The open books of each generation: it depends on how many levels are wanted.
    func books(in use: GenerationUse) -> [APIGeneration: Set<MarketID>] {
        var books: [APIGeneration: Set<MarketID>] = [:]
        for market in self.books {
            let isDeep = open.contains(DetailInterest(market: market, facet: .deepBook))
            books[isDeep ? use.deepBooks : use.books, default: []].insert(market)
        }
        return books
    }

    /// Requests books that come from another generation now.
    mutating func requestBooks(of markets: Set<MarketID>) {
        for market in markets {
            entries[.book(market)]?.isRequested = true
            entries[.book(market)]?.notBefore = .zero
        }
    }

    /// Sets the markets whose books a stream carries, and requests the newly subscribed ones.
    ///
    /// A response requested after the subscription holds all changes before it.
    ///
    /// - Returns: whether a market is new.
    mutating func noteSubscribed(
        _ markets: Set<MarketID>,
        in generation: APIGeneration
    ) -> Bool {
        let new = markets.subtracting(subscribed[generation] ?? [])
        subscribed[generation] = markets
        for market in new { entries[.book(market)]?.isRequested = true }
        return !new.isEmpty
    }
}
