/// The subscriptions of one connection.
struct SubscriptionFilter: Sendable {
    private var tickerSymbols: [String] = []
    private var tickerKinds: FrameKinds = []
    private var transactionSymbols: [String] = []
    private var depthSymbols: [String] = []
    private var snapshotSymbols: [String] = []
    /// Wanted kinds by market index.
    private var wanted: [FrameKinds] = []
    private var listingsVersion = -1

    /// The kinds wanted of any market.
    private(set) var kinds: FrameKinds = []
    /// Wanted order book kinds by market index.
    private(set) var books: [Int: FrameKinds] = [:]

    /// Applies a request.
    ///
    /// A type that was requested before gets a new list.
    mutating func apply(_ request: SubscriptionRequest) {
        listingsVersion = -1
        switch request {
        case .ticker(let symbols, let periods):
            tickerSymbols = symbols
            tickerKinds = periods.reduce(into: []) { $0.formUnion(.ticker($1)) }
        case .transaction(let symbols):
            transactionSymbols = symbols
        case .depth(let symbols):
            depthSymbols = symbols
        case .snapshot(let symbols):
            snapshotSymbols = symbols
        }
    }

    /// Updates the filter for a changed list of markets.
    ///
    /// - Returns: whether it may have changed.
    mutating func update(for listings: SimulatedFeed.Listings) -> Bool {
        guard listings.version != listingsVersion else { return false }
        listingsVersion = listings.version
        wanted = [FrameKinds](repeating: [], count: listings.count)
        want(tickerKinds, of: tickerSymbols, listings)
        want(.transaction, of: transactionSymbols, listings)
        want(.depth, of: depthSymbols, listings)
        want(.snapshot, of: snapshotSymbols, listings)
        books = [:]
        for symbol in Set(depthSymbols + snapshotSymbols) {
            guard let place = listings.places[symbol] else { continue }
            books[place] = wanted[place].intersection(.ofBooks)
        }
        kinds = wanted.reduce(into: []) { $0.formUnion($1) }
        return true
    }

    private mutating func want(
        _ kinds: FrameKinds,
        of symbols: [String],
        _ listings: SimulatedFeed.Listings
    ) {
        for symbol in symbols {
            if let place = listings.places[symbol] { wanted[place].formUnion(kinds) }
        }
    }

    /// Whether frames of this kind are wanted of the market at `place`.
    func wants(_ kind: FrameKinds, ofMarketAt place: Int) -> Bool {
        place < wanted.count && !wanted[place].isDisjoint(with: kind)
    }
}
