extension MinuteCandleBuilder {
    /// The candles of one minute.
    struct Minute: Sendable {
        let openTime: Timestamp
        private var entries: [MarketID: CandleStorage.Entry] = [:]
        /// Markets whose candle changed since it was written; nil for all.
        private var unwritten: Set<MarketID>?

        init(openTime: Timestamp) { self.openTime = openTime }

        var unwrittenCount: Int { unwritten?.count ?? entries.count }

        mutating func add(_ trade: Trade) {
            if entries[trade.market] == nil {
                entries[trade.market] = CandleStorage.Entry(opening: openTime, trade, isWhole: true)
            } else {
                entries[trade.market]?.absorb(trade)
            }
            unwritten?.insert(trade.market)
        }

        mutating func dequeueUnwritten() -> [MinuteCandleBatch.Row] {
            defer { unwritten = [] }
            return (unwritten.map(Array.init) ?? Array(entries.keys)).sorted()
                .compactMap { market in
                    entries[market].map { entry in
                        MinuteCandleBatch.Row(
                            market: market,
                            candle: entry.candle,
                            lastTradeAt: entry.lastAt
                        )
                    }
                }
        }

        mutating func requeue(_ market: MarketID) { unwritten?.insert(market) }

        mutating func markAllUnwritten() { unwritten = nil }
    }
}
