import DataSourceContracts
import Domain

/// What a batch of the stream of books says.
struct BookFrames: Sendable {
    /// The events, in order; what could not be read is counted in one `skipped` at the end.
    private(set) var events: [MarketEvent] = []
    /// The markets of which whole books came.
    private(set) var snapshots: Set<MarketID> = []
    /// Whether a whole book came, of whatever market.
    private(set) var hasSnapshots = false
    /// How many messages are the exchange's words on the connection itself.
    private(set) var wordCount = 0
    private var skipped = 0

    /// Maps messages.
    ///
    /// - Parameters:
    ///   - messages: the messages in order.
    ///   - markets: whose books somebody looks at; others are left out without a word, because the
    ///     exchange goes on sending what is no longer wanted.
    ///   - limit: the latest time that a book can be of; later ones are left out and counted. Nil
    ///     sets no limit.
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
                take(.depth(delta), delta.market, delta.at, markets, limit)
            case .orderBook(let dto):
                hasSnapshots = true
                let book = DepthMapping.snapshot(dto, origin: .stream, skipped: &skipped)
                guard let book else { continue }
                if take(.orderBook(book), book.market, book.at, markets, limit) {
                    snapshots.insert(book.market)
                }
            case .status: wordCount += 1
            case .skipped: skipped += 1
            case .ticker, .transactions, .unknown: continue
            }
        }
        if skipped > 0 { events.append(.skipped(skipped, .book)) }
    }

    @discardableResult
    private mutating func take(
        _ event: MarketEvent,
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
