public import DataSourceContracts
public import Domain

extension MarketArchive {
    /// The last followed feed according to the newest stored price; nil if none, or if the store
    /// fails.
    ///
    /// For an address whose feed is unknown until it answers. After a failure no further call is
    /// made: each might wait as long as the first, and half an answer would be a guess.
    public static func lastKind(in store: any MarketStoreSource) async -> FeedKind? {
        var newest: (kind: FeedKind, at: Int64)?
        for kind in [FeedKind.live, .simulated] {
            guard let closes = try? await store.closes(feed: kind.rawValue) else { return nil }
            guard let at = closes.map(\.at).max(), at > newest?.at ?? .min else { continue }
            newest = (kind, at)
        }
        return newest?.kind
    }

    /// The coins in a store, of any feed.
    ///
    /// Coins with a last price or a name; none if the store fails.
    public static func coins(
        in store: any MarketStoreSource
    ) async -> (symbols: Set<String>, names: CoinNames) {
        var symbols: Set<String> = []
        var entries: [String: CoinNames.Entry] = [:]
        for kind in [FeedKind.simulated, .live] {
            do throws(StoreError) {
                let closes = try await store.closes(feed: kind.rawValue)
                symbols.formUnion(StoredReferenceMapping.closes(closes).closes.map(\.market.symbol))
                guard let names = try await store.names(feed: kind.rawValue) else { continue }
                entries.merge(StoredReferenceMapping.names(names).names.entries) { $1 }
            } catch {
                break
            }
        }
        return (symbols, CoinNames(entries))
    }

    /// The markets in a store, of any feed: those with a last price; none if the store fails.
    public static func markets(in store: any MarketStoreSource) async -> Set<MarketID> {
        var markets: Set<MarketID> = []
        for kind in [FeedKind.simulated, .live] {
            guard let closes = try? await store.closes(feed: kind.rawValue) else { break }
            markets.formUnion(StoredReferenceMapping.closes(closes).closes.map(\.market))
        }
        return markets
    }

    /// The newest stored candles of a market; weeks and months are folded from days.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - interval: the interval.
    ///   - limit: the latest plausible time; candles that open later, as left by a wrong clock, are
    ///     left out.
    ///   - count: maximum number of candles read, of an interval that the exchange serves.
    /// - Returns: nil if none are stored, or the store fails.
    public func candles(
        of market: MarketID,
        _ interval: CandleInterval,
        notAfter limit: Timestamp?,
        newest count: Int = candlesMax
    ) async -> CandlePage? {
        let kind = kind
        guard kind != .replay else { return nil }
        let series = CandleSeriesDTO(
            feed: kind.rawValue,
            market: market.name,
            interval: interval.served.rawValue
        )
        let stored = await read { store throws(StoreError) in
            try await store.candles(of: series, newest: count)
        }
        guard let stored else { return nil }
        let (page, skipped) = StoredCandleMapping.page(
            stored,
            of: market,
            interval: interval.served,
            notAfter: limit
        )
        noteSkipped(skipped)
        return interval == interval.served ? page : page?.folded(to: interval)
    }

    /// A stored block of past candles; nil unless all of it is stored, or if the store fails.
    ///
    /// Whether the market has older candles is not stored.
    func block(_ block: CandleBlock, of market: MarketID) async -> CandleBlockPage? {
        let kind = kind
        guard kind != .replay else { return nil }
        let interval = block.interval.served
        let series = CandleSeriesDTO(
            feed: kind.rawValue,
            market: market.name,
            interval: interval.rawValue
        )
        let count = interval.bucketCount(from: block.start, to: block.end)
        let stored = await read { store throws(StoreError) in
            try await store.candles(
                of: series,
                newest: count,
                before: block.end.microseconds
            )
        }
        guard let stored else { return nil }
        let (page, skipped) = StoredCandleMapping.page(stored, of: market, block)
        noteSkipped(skipped)
        return page
    }

    /// Queues the candles of a REST answer for writing; other pages are ignored.
    public func keep(_ page: CandlePage) { put { $0.add(page) } }

    /// The stored last prices and their feed.
    ///
    /// - Returns: nil if none are stored, or the store fails.
    public func closes() async -> (closes: [StoredPrice], kind: FeedKind)? {
        let kind = kind
        guard kind != .replay else { return nil }
        let rows = await read { store throws(StoreError) in
            try await store.closes(feed: kind.rawValue)
        }
        guard let rows else { return nil }
        let (closes, skipped) = StoredReferenceMapping.closes(rows)
        noteSkipped(skipped)
        return closes.isEmpty ? nil : (closes, kind)
    }

    /// The stored names of coins, and when they were read from the exchange.
    ///
    /// - Returns: nil if none are stored, or the store fails.
    public func names() async -> (names: CoinNames, readAt: Timestamp)? {
        let kind = kind
        guard kind != .replay else { return nil }
        let stored = await read { store throws(StoreError) in
            try await store.names(feed: kind.rawValue)
        }
        guard let stored = stored ?? nil else { return nil }
        let (names, skipped) = StoredReferenceMapping.names(stored)
        noteSkipped(skipped)
        guard names.count > 0 else { return nil }
        return (names, Timestamp(microseconds: stored.readAt))
    }

    /// Queues names from the exchange for writing; built-in names are not written.
    public func keep(_ names: CoinNames, readAt: Timestamp) {
        put { $0.add(names: StoredReferenceMapping.names(names, readAt: readAt)) }
    }

    /// The stored warnings; nil if none were ever stored, or the store fails.
    public func marks() async -> MarketWarnings? {
        let kind = kind
        guard kind != .replay else { return nil }
        let stored = await read { store throws(StoreError) in
            try await store.marks(feed: kind.rawValue)
        }
        guard let stored = stored ?? nil else { return nil }
        let (marks, skipped) = StoredReferenceMapping.marks(stored)
        noteSkipped(skipped)
        return marks
    }

    /// Queues warnings for writing.
    public func keep(_ marks: MarketWarnings) {
        put { $0.add(marks: StoredReferenceMapping.marks(marks)) }
    }
}
