/// The frames of API 2.x that one connection, or all together, want.
struct MarketFilter: Sendable, Equatable {
    /// Wanted kinds by market index.
    private(set) var markets: [Int: FrameKinds] = [:]
    /// Wanted views of order books by market index.
    private(set) var books: [Int: Set<BookView>] = [:]
    /// The kinds wanted of any market.
    private(set) var kinds: FrameKinds = []

    /// Adds the markets of a channel that are listed.
    mutating func want(
        _ channel: MarketStreamRequest.Channel,
        _ format: MarketFrameFormat,
        _ listings: SimulatedFeed.Listings
    ) {
        let kind: FrameKinds =
            switch channel.type {
            case .ticker: .marketTicker(format)
            case .trade: .marketTrade(format)
            case .orderbook: .marketBook
            }
        for market in channel.markets {
            guard let place = listings.places[market.name] else { continue }
            markets[place, default: []].formUnion(kind)
            kinds.formUnion(kind)
            guard channel.type == .orderbook else { continue }
            let view = BookView(units: market.units, level: channel.level, format: format)
            books[place, default: []].insert(view)
        }
    }

    /// Adds what another filter wants.
    mutating func formUnion(_ other: MarketFilter) {
        markets.merge(other.markets) { $0.union($1) }
        books.merge(other.books) { $0.union($1) }
        kinds.formUnion(other.kinds)
    }

    /// Whether a frame is wanted.
    func wants(_ frame: FrameBatch.Frame) -> Bool {
        guard let wanted = markets[frame.market], wanted.contains(frame.kind) else { return false }
        guard let view = frame.view else { return true }
        return books[frame.market]?.contains(view) == true
    }
}
