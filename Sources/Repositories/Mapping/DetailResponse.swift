import DataSourceContracts
import Domain

/// What a REST answer says, for everybody who waits for it.
struct DetailResponse: Sendable {
    private enum Content: Sendable {
        case book(OrderBookSnapshot)
        case trades(TradeHistory)
        case candles(CandlePage)
    }

    private let content: Content
    private let skipped: Int

    /// Takes a book.
    ///
    /// - Throws: `malformed` for a book of another market, or of a time that cannot be: it would go
    ///   before everything that comes later.
    init(
        _ dto: OrderBookDTO,
        of market: MarketID,
        notAfter limit: Timestamp?
    ) throws(DataSourceError) {
        var skipped = 0
        let book = DepthMapping.snapshot(dto, origin: .rest, skipped: &skipped)
        guard let book, book.market == market else {
            throw DataSourceError(.malformed, "orderbook/\(market.name): another market's book")
        }
        guard book.at <= limit ?? book.at else {
            throw DataSourceError(.malformed, "orderbook/\(market.name): a time that cannot be")
        }
        content = .book(book)
        self.skipped = skipped
    }

    /// Takes past trades; `skipped` rows were left out.
    init(_ history: TradeHistory, skipped: Int) {
        content = .trades(history)
        self.skipped = skipped
    }

    /// Takes a page of candles; `skipped` rows were left out.
    init(_ page: CandlePage, skipped: Int) {
        content = .candles(page)
        self.skipped = skipped
    }

    /// A hash of a book's levels: two that differ mean that the book moved.
    var levelsHash: Int? {
        switch content {
        case .book(let book):
            var hasher = Hasher()
            hasher.combine(book.asks)
            hasher.combine(book.bids)
            return hasher.finalize()
        case .trades, .candles: return nil
        }
    }

    /// What the rows that were left out are rows of.
    private var kind: SkippedEntries.Kind {
        switch content {
        case .book: .book
        case .trades: .trades
        case .candles: .candles
        }
    }

    /// The events for those who wait: weeks and months are folded from the days of one answer.
    func events(for takers: Set<DetailInterest>) -> [MarketEvent] {
        var events: [MarketEvent] = []
        switch content {
        case .book(let book): events.append(.orderBook(book))
        case .trades(let history): events.append(.tradeHistory(history))
        case .candles(let page):
            for interval in CandleInterval.allCases {
                let taker = DetailInterest(market: page.market, facet: .candles(interval))
                guard takers.contains(taker) else { continue }
                let isServed = interval == page.interval
                events.append(.candles(isServed ? page : page.folded(to: interval)))
            }
        }
        if skipped > 0 { events.append(.skipped(skipped, kind)) }
        return events
    }
}
