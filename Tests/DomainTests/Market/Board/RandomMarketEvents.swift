import TestSupport

@testable import Domain

/// Random but consistent events: each source reports in order, around a midnight, on a few markets.
struct RandomMarketEvents {
    static let won: [MarketID] = ["BTC_KRW", "ETH_KRW", "XRP_KRW"]
    static let bitcoin: [MarketID] = ["ETH_BTC", "XRP_BTC"]

    var generator: SeededGenerator
    private var at: Timestamp

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        at = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 23, minute: 59, second: 55)
    }

    /// Advances the source's clock a little, often within the same second.
    private mutating func tick(upTo limit: Duration) -> Timestamp {
        let step = Int64.random(in: 0...limit.wholeMicroseconds, using: &generator)
        at = at.advanced(by: .microseconds(step))
        return at
    }

    mutating func price() -> FixedDecimal {
        FixedDecimal(Int64.random(in: 100...105, using: &generator))
    }

    /// A number that rarely repeats.
    private mutating func number() -> FixedDecimal {
        FixedDecimal(Int64.random(in: 1...1_000_000_000, using: &generator))
    }

    mutating func listing(_ quote: Quote) -> MarketEvent {
        let markets = quote == .krw ? Self.won : Self.bitcoin
        let entries = markets.map { market in
            ListingEntry(
                market,
                price: price(),
                previousClose: number(),
                volumeToday: number(),
                volume24h: number(),
                tradeValue24h: number(),
                changeAmount24h: quote == .krw ? FixedDecimal(units: number().units % 90) : nil,
                changeRate24h: number()
            )
        }
        return .listing(Listing(quote, at: tick(upTo: .seconds(4)), entries))
    }

    mutating func frame() -> MarketEvent {
        let markets = Self.won + Self.bitcoin
        // The stream has whole seconds.
        let second = tick(upTo: .milliseconds(1_200)).second
        return .ticker(
            TickerFrame(
                markets.randomElement(using: &generator) ?? markets[0],
                ChangePeriod.allCases.randomElement(using: &generator) ?? .hours24,
                at: Timestamp(milliseconds: second * 1_000),
                open: price(),
                close: price(),
                value: number(),
                volume: number(),
                amount: number(),
                rate: number()
            )
        )
    }

    mutating func trade() -> MarketEvent {
        let markets = Self.won + Self.bitcoin
        return .trade(
            Trade(
                markets.randomElement(using: &generator) ?? markets[0],
                price: price(),
                at: tick(upTo: .milliseconds(900))
            )
        )
    }
}

/// The visible state of a market at a moment.
struct VisibleMarket: Equatable {
    let isTrading: Bool
    let price: FixedDecimal?
    let priceAt: Timestamp?
    let tradeValue24h: FixedDecimal?
    let volume24h: FixedDecimal?
    let strength: FixedDecimal?
    let today: DayStatistics
    let changes: [PriceChange]
    /// Depends on the order of arrival.
    let tick: PriceDirection?

    init(_ market: MarketState, day: Int?, now: Timestamp, hasTick: Bool = true) {
        isTrading = market.isTrading
        price = market.price
        priceAt = market.priceAt
        tradeValue24h = market.tradeValue24h
        volume24h = market.volume24h
        strength = market.tradeStrengthPercent
        today = market.today(on: day)
        changes = ChangePeriod.allCases.map { market.change(over: $0, now: now, day: day) }
        tick = hasTick ? market.tick : nil
    }
}
