import DataSourceContracts
import Domain

/// The events of one batch of the book stream.
struct BookFrames: Sendable {
    /// The events in order; one `skipped` at the end counts unreadable messages.
    private(set) var events: [DetailEvent] = []
    /// The markets with a snapshot.
    private(set) var snapshots: Set<MarketID> = []
    /// Whether the batch holds a snapshot of any market.
    private(set) var hasSnapshots = false
    /// The number of status messages.
    private(set) var statusCount = 0
    private var skipped = 0

    /// Maps messages.
    ///
    /// - Parameters:
    ///   - messages: the messages in order.
    ///   - markets: the open markets; others are dropped without a count, because the exchange
    ///     continues to send them.
    ///   - limit: the latest plausible time; later books are skipped and counted. Nil for no limit.
    init(
        _ messages: [StreamMessageDTO],
        of markets: Set<MarketID>,
        notAfter limit: Timestamp?
    ) {
        events.reserveCapacity(messages.count)
        for message in messages {
            switch message {
            case .depth(let dto):
                guard let delta = DepthMapping.delta(dto, skipped: &skipped) else { continue }
                append(.depth(delta), delta.market, delta.at, markets, limit)
            case .orderBook(let dto):
                hasSnapshots = true
                let book = DepthMapping.snapshot(
                    dto,
                    origin: .stream,
                    skipped: &skipped
                )
                guard let book else { continue }
                if append(.orderBook(book), book.market, book.at, markets, limit) {
                    snapshots.insert(book.market)
                }
            case .status: statusCount += 1
            case .skipped: skipped += 1
            case .ticker, .marketTicker, .trade, .transactions, .unknown: continue
            }
        }
        if skipped > 0 { events.append(.skipped(skipped, .book)) }
    }

    @discardableResult
    private mutating func append(
        _ event: DetailEvent,
        _ market: MarketID,
        _ at: Timestamp,
        _ markets: Set<MarketID>,
        _ limit: Timestamp?
    ) -> Bool {
        guard markets.contains(market) else { return false }
        if let limit, at > limit {
            skipped += 1
            return false
        }
        events.append(event)
        return true
    }
}
