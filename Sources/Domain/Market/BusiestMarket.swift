/// The market whose data prove that a stream is alive: the won market with the largest turnover
/// among those that the exchange has not suspended.
///
/// Every market proves it while no listing has told a turnover.
public struct BusiestMarket: Sendable {
    /// The market; nil while it is unknown.
    public private(set) var id: MarketID?
    /// The newest listing of won markets.
    private var listed: [ListingEntry] = []
    /// Those that the stream calls suspended: they may have had the largest turnover until then.
    private var suspended: Set<MarketID> = []

    /// Knows no market.
    public init() {}

    /// Applies an event of the market list.
    ///
    /// - Returns: the exchange time at which the event proves the stream alive; nil if it does not.
    public mutating func apply(_ event: MarketEvent) -> Timestamp? {
        switch event {
        case .listing(let listing):
            guard listing.quote == .krw else { return nil }
            listed = listing.entries
            suspended.formIntersection(listed.map(\.market) + listing.suspended)
            find()
            return nil
        case .ticker(let frame): return proof(of: frame.market, at: frame.at)
        case .row(let entry, let at):
            noteSuspension(of: entry)
            return proof(of: entry.market, at: at)
        case .state(let entry, _):
            noteSuspension(of: entry)
            return nil
        case .trade(let trade): return proof(of: trade.market, at: trade.executedAt)
        case .base, .closes, .feed, .dayBegan, .skipped: return nil
        }
    }

    private func proof(of market: MarketID, at time: Timestamp) -> Timestamp? {
        id ?? market == market ? time : nil
    }

    private mutating func noteSuspension(of entry: ListingEntry) {
        guard let isSuspended = entry.isSuspended,
            isSuspended != suspended.contains(entry.market)
        else { return }
        if isSuspended {
            suspended.insert(entry.market)
        } else {
            suspended.remove(entry.market)
        }
        find()
    }

    private mutating func find() {
        id =
            listed.lazy.filter { [suspended] in !suspended.contains($0.market) }
            .compactMap { entry in
                entry.tradeValue24h.flatMap {
                    $0 > .zero ? (market: entry.market, value: $0) : nil
                }
            }
            .max { $0.value < $1.value }?.market
    }
}
