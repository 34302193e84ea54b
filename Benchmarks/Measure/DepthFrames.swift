import DataSourceContracts
import Domain
import TestSupport

/// Frames of book changes as a busy exchange sends them, and the books they change.
struct DepthFrames {
    /// Markets of all price ranges: the tick size, and the middle of the book in ticks.
    private static let markets: [(name: String, tick: Int, middle: Int)] = [
        ("BTC_KRW", 1_000, 116_500), ("ETH_KRW", 1_000, 4_212), ("XRP_KRW", 1, 1_210),
        ("SOL_KRW", 100, 2_104), ("DOGE_KRW", 1, 244), ("USDT_KRW", 1, 1_391),
    ]
    /// Number of levels of a frame.
    static let levels = 20
    /// Time of the books; every frame is later.
    private static let start: Int64 = 1_790_133_914_000_000

    /// The frames, in order.
    private(set) var batch = MessageBatch()
    /// The books before the first frame.
    private(set) var books: [MarketID: LocalOrderBook] = [:]

    /// Makes frames, the same for the same seed.
    init(count: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for market in Self.markets {
            let snapshot = Self.snapshot(market.name, market.tick, market.middle)
            var book = LocalOrderBook()
            book.apply(snapshot, receivedAt: snapshot.at)
            books[snapshot.market] = book
        }
        for index in 0..<count {
            let market = Self.markets[Int.random(in: 0..<Self.markets.count, using: &generator)]
            let changes = [1, -1].flatMap { step in
                // No price twice on a side, and most changes near the best price.
                let near = (1...14).shuffled(using: &generator).prefix(Self.levels / 2 - 2)
                let far = (15...40).shuffled(using: &generator).prefix(2)
                return (near + far).map { distance in
                    let price = (market.middle + step * distance) * market.tick
                    return Self.change(market.name, step, price, using: &generator)
                }
            }
            let text =
                #"{"type":"orderbookdepth","content":{"list":["# + changes.joined(separator: ",")
                + #"],"datetime":"\#(Self.start + Int64(index + 1) * 4_000)"}}"#
            batch.append(text.utf8)
        }
    }

    private static func change(
        _ name: String,
        _ step: Int,
        _ price: Int,
        using generator: inout SeededGenerator
    ) -> String {
        var quantity = "0"
        var total = 0
        if Int.random(in: 0..<3, using: &generator) > 0 {
            let whole = Int.random(in: 0..<5_000, using: &generator)
            let fraction = Int.random(in: 1..<10_000, using: &generator)
            quantity = "\(whole).\(String(fraction + 10_000).dropFirst())"
            total = Int.random(in: 1..<30, using: &generator)
        }
        return #"{"symbol":"\#(name)","orderType":"\#(step > 0 ? "ask" : "bid")","#
            + #""price":"\#(price)","quantity":"\#(quantity)","total":"\#(total)"}"#
    }

    private static func snapshot(_ name: String, _ tick: Int, _ middle: Int) -> OrderBookSnapshot {
        guard let market = MarketID(name: name) else { preconditionFailure("\(name) is a market") }
        let levels = { (step: Int) in
            (1...OrderBookSnapshot.levelsMax).map { distance in
                BookLevel(
                    price: FixedDecimal(Int64((middle + step * distance) * tick)),
                    quantity: .one
                )
            }
        }
        return OrderBookSnapshot(
            market: market,
            at: Timestamp(microseconds: start),
            asks: levels(1),
            bids: levels(-1),
            origin: .stream
        )
    }
}
