import Domain

extension SimulatedExchange {
    /// Why the list of markets was not changed.
    enum ListingChangeError: Error, Equatable {
        /// No such market is listed.
        case unknown
        /// A market of that name is listed already.
        case taken
        /// A coin keeps the currency it is traded in.
        case otherQuote
        /// There are as many markets as there may be.
        case full
    }

    /// A change of the list of markets.
    enum ListingChange: Sendable, Equatable {
        /// Lists a coin, or brings one back that was suspended or taken off.
        case list(MarketID)
        /// Suspends a coin: it trades no more and is described by an empty list.
        case suspend(MarketID)
        /// Takes a coin off: it trades no more and no answer names it.
        case delist(MarketID)
        /// Gives a coin another name, under which it goes on with its price and history.
        case rename(MarketID, to: MarketID)
    }

    /// The most markets, those that are gone included.
    static let marketsMax = 4_096
    /// Listed coins start with the weight of a market in the middle of the field.
    private static let listedWeight = 10_000

    /// Changes the list of markets.
    mutating func apply(_ change: ListingChange) throws(ListingChangeError) {
        switch change {
        case .list(let id): try list(id)
        case .suspend(let id): try setStanding(.suspended, of: id)
        case .delist(let id): try setStanding(.delisted, of: id)
        case .rename(let id, let new): try rename(id, to: new)
        }
    }

    private mutating func list(_ id: MarketID) throws(ListingChangeError) {
        let now = now
        try change { (markets, random) throws(ListingChangeError) in
            if let place = Self.place(of: id, in: markets) {
                markets[place].standing = .active
                return
            }
            guard markets.count < Self.marketsMax else { throw .full }
            var own = random.split()
            let won = MarketCatalog.wonPrice(of: id.symbol, random: &own)
            let price = id.quote == .krw ? won : MarketCatalog.bitcoinPrice(ofWonUnits: won)
            let minutes = [Minute](
                repeating: Minute(close: price),
                count: MinuteHistory.capacity
            )
            markets.append(
                SimulatedMarket(
                    id: id,
                    anchor: price,
                    weight: Self.listedWeight,
                    standing: .active,
                    price: price,
                    history: MinuteHistory(
                        minutes: minutes,
                        current: SeoulMinute.number(of: now)
                    ),
                    day: SimulatedMarket.Day(open: nil, previousClose: price),
                    past: nil,
                    bookSeed: own.next()
                )
            )
        }
    }

    private mutating func rename(_ id: MarketID, to new: MarketID) throws(ListingChangeError) {
        try change { (markets, _) throws(ListingChangeError) in
            guard let place = Self.place(of: id, in: markets),
                markets[place].standing != .delisted
            else { throw .unknown }
            guard id.quote == new.quote else { throw .otherQuote }
            guard Self.place(of: new, in: markets) == nil else { throw .taken }
            markets[place].id = new
        }
    }

    private mutating func setStanding(
        _ standing: SimulatedMarket.Standing,
        of id: MarketID
    ) throws(ListingChangeError) {
        try change { (markets, _) throws(ListingChangeError) in
            guard let place = Self.place(of: id, in: markets),
                markets[place].standing != .delisted
            else { throw .unknown }
            markets[place].standing = standing
        }
    }

    private static func place(of id: MarketID, in markets: [SimulatedMarket]) -> Int? {
        markets.firstIndex { $0.id == id }
    }
}
