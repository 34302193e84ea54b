/// The markets that the stream is subscribed for, and the parts of it that no trade has proved.
struct MarketSubscription: Sendable {
    /// A subscription of which no trade has proved that it has effect.
    struct Pending: Sendable {
        /// The exchange time until which the stream before it was complete; nil without one.
        let knownUntil: Timestamp?
    }

    /// The newest subscription until its first trade; nil afterwards.
    private(set) var pending: Pending?
    /// The exchange time of the first trade of the newest subscription that had one.
    private var provenSince: Timestamp?
    /// Markets that joined a running subscription, and of which no trade has arrived yet, with the
    /// exchange time of the listing that told them.
    var late: [MarketID: Timestamp] = [:]
    /// Markets that a listing has named; no more than a board has.
    private var markets: Set<MarketID> = []

    /// Begins anew on another connection.
    mutating func begin(knownUntil: Timestamp?) {
        pending = Pending(knownUntil: knownUntil)
        late = [:]
    }

    /// Takes the time of the first trade.
    mutating func prove(since time: Timestamp) {
        pending = nil
        provenSince = time
    }

    /// Adds a market with the first listing that names it.
    mutating func add(_ market: MarketID, isLate: Bool, at: Timestamp) {
        guard markets.count < MarketBoard.marketsMax, markets.insert(market).inserted, isLate
        else { return }
        late[market] = at
    }

    /// Whether trades after a reading may not arrive: the subscription may not have had effect by
    /// then, or the market joined it shortly before.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - readAt: the exchange time of the reading.
    /// - Returns: whether they may not.
    func mayMissTrades(of market: MarketID, after readAt: Timestamp) -> Bool {
        if pending != nil || provenSince.map({ readAt < $0 }) ?? false { return true }
        guard let joinedAt = late[market] else { return false }
        return readAt < joinedAt.advanced(by: MinuteCandleBuilder.subscribing)
    }
}
