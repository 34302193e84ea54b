import DataSourceContracts
import Domain

/// The content of a REST response, for all interests that it serves.
struct DetailResponse: Sendable {
    private enum Content: Sendable {
        case book(OrderBookSnapshot)
        case trades(TradeHistory)
        case candles(CandlePage)
    }

    private let content: Content
    private let skipped: Int

    /// Maps a book.
    ///
    /// - Throws: `malformed` for a book of another market, or of an implausible time: it would be
    ///   newer than all later books.
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
            throw DataSourceError(.malformed, "orderbook/\(market.name): an implausible time")
        }
        content = .book(book)
        self.skipped = skipped
    }

    /// Wraps past trades and the number of skipped rows.
    init(_ history: TradeHistory, skipped: Int) {
        content = .trades(history)
        self.skipped = skipped
    }

    /// Wraps a page of candles and the number of skipped rows.
    init(_ page: CandlePage, skipped: Int) {
        content = .candles(page)
        self.skipped = skipped
    }

    /// A hash of a book's levels: two that differ mean that the book changed.
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

    /// The kind of the skipped rows.
    private var kind: SkippedEntries.Kind {
        switch content {
        case .book: .book
        case .trades: .trades
        case .candles: .candles
        }
    }

    /// The events for the given interests; weeks and months are folded from days.
    func events(for recipients: Set<DetailInterest>) -> [DetailEvent] {
        var events: [DetailEvent] = []
        switch content {
        case .book(let book): events.append(.orderBook(book))
        case .trades(let history): events.append(.tradeHistory(history))
        case .candles(let page):
            for interval in CandleInterval.allCases {
                let interest = DetailInterest(market: page.market, facet: .candles(interval))
                guard recipients.contains(interest) else { continue }
                let isServed = interval == page.interval
                events.append(.candles(isServed ? page : page.folded(to: interval)))
            }
        }
        if skipped > 0 { events.append(.skipped(skipped, kind)) }
        return events
    }
}
