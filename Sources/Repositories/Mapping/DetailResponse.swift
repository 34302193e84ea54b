import DataSourceContracts
import Domain

/// The content of a REST response, for all interests that it serves.
struct DetailResponse: Sendable {
    private enum Content: Sendable {
        case book(OrderBookSnapshot)
        case trades(TradeHistory)
        case candles(CandlePage, isTruncated: Bool)
        case pastCandles(CandleBlockPage)
    }

    private let content: Content
    /// The number of unreadable rows.
    let skipped: Int

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

    /// Wraps the past trades of all pages.
    init(_ pages: TradePaging, requestedAt: Timestamp) {
        content = .trades(pages.history(requestedAt: requestedAt))
        skipped = pages.skippedCount
    }

    /// Wraps a page of candles, the number of skipped rows and whether older rows exist.
    init(_ page: CandlePage, skipped: Int, isTruncated: Bool) {
        content = .candles(page, isTruncated: isTruncated)
        self.skipped = skipped
    }

    /// Wraps a block of past candles.
    init(_ page: CandleBlockPage) {
        content = .pastCandles(page)
        skipped = 0
    }

    /// A hash of a book's streamed levels: two that differ mean that a frame is due.
    var levelsHash: Int? {
        switch content {
        case .book(let book):
            var hasher = Hasher()
            let count =
                switch book.api {
                case .v1: OrderBookSnapshot.levelsMax
                case .v2: OrderBookSnapshot.bestLevelsMax
                }
            hasher.combine(book.asks.prefix(count).count)
            for level in book.asks.prefix(count) { hasher.combine(level) }
            for level in book.bids.prefix(count) { hasher.combine(level) }
            return hasher.finalize()
        case .trades, .candles, .pastCandles: return nil
        }
    }

    /// The kind of the skipped rows.
    private var kind: SkippedEntries.Kind {
        switch content {
        case .book: .book
        case .trades: .trades
        case .candles, .pastCandles: .candles
        }
    }

    /// The events for the given interests; weeks and months are folded from days.
    func events(for recipients: Set<DetailInterest>) -> [DetailEvent] {
        var events: [DetailEvent] = []
        switch content {
        case .book(let book): events.append(.orderBook(book))
        case .trades(let history): events.append(.tradeHistory(history))
        case .candles(let page, let isTruncated):
            for interval in CandleInterval.allCases {
                let interest = DetailInterest(market: page.market, facet: .candles(interval))
                guard recipients.contains(interest) else { continue }
                let isServed = interval == page.interval
                events.append(
                    .candles(isServed ? page : page.folded(to: interval, isTruncated: isTruncated))
                )
            }
        case .pastCandles(let page): events.append(.pastCandles(page))
        }
        if skipped > 0 { events.append(.skipped(skipped, kind)) }
        return events
    }
}
