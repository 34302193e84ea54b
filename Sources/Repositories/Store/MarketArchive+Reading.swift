public import DataSourceContracts
public import Domain

extension MarketArchive {
    /// What kind of feed was followed last, as the newest stored price tells; nil if none was, or
    /// the store does not tell.
    ///
    /// For an address of which nobody knows what it serves before it answers. A store that fails is
    /// not asked again: each call might wait as long as the first, and half an answer is a guess.
    public static func lastKind(in store: any MarketStoreSource) async -> FeedKind? {
        var newest: (kind: FeedKind, at: Int64)?
        for kind in [FeedKind.live, .simulated] {
            guard let closes = try? await store.closes(feed: kind.rawValue) else { return nil }
            guard let at = closes.map(\.at).max(), at > newest?.at ?? .min else { continue }
            newest = (kind, at)
        }
        return newest?.kind
    }

    /// The coins that a store has heard of, of whatever feed.
    ///
    /// They are those of which it has a last price, and those that it names; a store that fails has
    /// heard of none.
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

    /// The newest stored candles of a market; weeks and months are folded from days.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - interval: the interval.
    ///   - limit: the latest time that can be: candles that open later, as a wrong clock may have
    ///     left them, are left out.
    ///   - count: how many are read at the most, of those that the exchange serves.
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

    /// Has the candles of a REST answer kept; other pages are left alone.
    public func keep(_ page: CandlePage) { put { $0.add(page) } }

    /// The stored last prices, and the kind of feed that they are of.
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

    /// The stored names of coins, and when the exchange told them.
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

    /// Has the names kept that the exchange told, and not those that hoga brings along.
    public func keep(_ names: CoinNames, readAt: Timestamp) {
        put { $0.add(names: StoredReferenceMapping.names(names, readAt: readAt)) }
    }

    /// The stored warnings; nil if none were ever kept, or the store fails.
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

    /// Has warnings kept.
    public func keep(_ marks: MarketWarnings) {
        put { $0.add(marks: StoredReferenceMapping.marks(marks)) }
    }
}
