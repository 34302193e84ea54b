/// What one connection wants to be sent.
struct SubscriptionFilter: Sendable {
    private var tickerSymbols: [String] = []
    private var tickerKinds: FrameKinds = []
    private var transactionSymbols: [String] = []
    /// For each market by its place the kinds that are wanted.
    private var wanted: [FrameKinds] = []
    private var listingsVersion = -1

    /// The kinds that are wanted of any market.
    private(set) var kinds: FrameKinds = []

    /// Takes a request; one of a type that was asked for before replaces its list.
    mutating func apply(_ request: SubscriptionRequest) {
        listingsVersion = -1
        switch request {
        case .ticker(let symbols, let periods):
            tickerSymbols = symbols
            tickerKinds = periods.reduce(into: []) { $0.formUnion(.ticker($1)) }
        case .transaction(let symbols):
            transactionSymbols = symbols
        }
    }

    /// Brings the filter up to date with the list of markets.
    mutating func update(for listings: SimulatedFeed.Listings) {
        guard listings.version != listingsVersion else { return }
        listingsVersion = listings.version
        wanted = [FrameKinds](repeating: [], count: listings.count)
        for symbol in tickerSymbols {
            if let place = listings.places[symbol] { wanted[place].formUnion(tickerKinds) }
        }
        for symbol in transactionSymbols {
            if let place = listings.places[symbol] { wanted[place].formUnion(.transaction) }
        }
        kinds = wanted.reduce(into: []) { $0.formUnion($1) }
    }

    /// Whether frames of this kind of the market at a place are wanted.
    func wants(_ kind: FrameKinds, ofMarketAt place: Int) -> Bool {
        place < wanted.count && !wanted[place].isDisjoint(with: kind)
    }
}
