import Domain
import ExchangeSimulator
import TestSupport
import Testing

@Suite("Order books on the stream agree with REST")
struct BookStreamTests {
    /// A client's book: price to quantity, without unprintable remainders.
    private struct Follower {
        var asks: [FixedDecimal: FixedDecimal] = [:]
        var bids: [FixedDecimal: FixedDecimal] = [:]
        private(set) var at: Int64 = 0

        /// The farthest prices up to which everything is known.
        private var farthest = (ask: FixedDecimal.zero, bid: FixedDecimal.zero)

        init(rest answer: HTTPAnswer) throws {
            let data = try #require(try answer.json()["data"])
            let milliseconds = try #require(data["timestamp"]?.text.flatMap { Int64($0) })
            at = milliseconds * 1_000
            try take(data)
        }

        init(snapshot content: JSONValue) throws {
            at = try #require(content["datetime"]?.text.flatMap { Int64($0) })
            try take(content)
        }

        private mutating func take(_ data: JSONValue) throws {
            asks = try Self.side(data["asks"], price: "price", quantity: "quantity")
            bids = try Self.side(data["bids"], price: "price", quantity: "quantity")
            farthest.ask = asks.keys.max() ?? .zero
            farthest.bid = bids.keys.min() ?? .zero
        }

        /// Whether both have the same levels in the range both know.
        func agrees(with other: Follower) -> Bool {
            let ask = min(farthest.ask, other.farthest.ask)
            let bid = max(farthest.bid, other.farthest.bid)
            return asks.filter { $0.key <= ask } == other.asks.filter { $0.key <= ask }
                && bids.filter { $0.key >= bid } == other.bids.filter { $0.key >= bid }
        }

        static func side(
            _ list: JSONValue?,
            price: String,
            quantity: String
        ) throws -> [FixedDecimal: FixedDecimal] {
            var side: [FixedDecimal: FixedDecimal] = [:]
            guard case .list(let levels) = list else { return side }
            for level in levels {
                let quantity = try FixedDecimal(
                    parsing: try #require(level[quantity]?.text ?? level[1]?.text)
                )
                let price = try FixedDecimal(
                    parsing: try #require(level[price]?.text ?? level[0]?.text)
                )
                if !quantity.isZero { side[price] = quantity }
            }
            return side
        }

        /// Applies a message of changes unless it is older than the book.
        mutating func apply(_ content: JSONValue) throws {
            let time = try #require(content["datetime"]?.text.flatMap { Int64($0) })
            guard time > at else { return }
            at = time
            guard case .list(let items) = content["list"] else { return }
            var prices: Set<String> = []
            var sides: [String] = []
            for item in items {
                #expect(item.keys == ["symbol", "orderType", "price", "quantity", "total"])
                let text = try #require(item["price"]?.text)
                #expect(prices.insert(text).inserted, "a price twice in a frame")
                let price = try FixedDecimal(parsing: text)
                let quantity = try FixedDecimal(parsing: try #require(item["quantity"]?.text))
                #expect(quantity.isZero == (item["total"]?.text == "0"))
                let side = try #require(item["orderType"]?.text)
                sides.append(side)
                switch side {
                case "ask": asks[price] = quantity.isZero ? nil : quantity
                default: bids[price] = quantity.isZero ? nil : quantity
                }
            }
            #expect(sides == sides.sorted(), "asks come before bids")
        }
    }

    @Test("a REST book with later changes equals every snapshot and REST again")
    func agreement() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.send(StreamClient.request(type: "orderbookdepth", ["BTC_KRW"], nil))
            _ = try client.next { $0.contains(#""orderbookdepth""#) }
            try client.send(StreamClient.request(type: "orderbooksnapshot", ["BTC_KRW"], nil))
            let path = "/public/orderbook/BTC_KRW"
            var follower = try Follower(rest: try SimulatorFixture.get(path, simulator))
            var snapshots: [Int64] = []
            var compared = 0
            while compared < 6 {
                let message = try client.next { $0.contains(#""content""#) }
                let json = try #require(JSONValue.parse(message))
                let content = try #require(json["content"])
                if json["type"] == .text("orderbookdepth") {
                    try follower.apply(content)
                    continue
                }
                let start =
                    #"{"type":"orderbooksnapshot","content":{"symbol":"BTC_KRW","datetime":""#
                #expect(message.hasPrefix(start))
                #expect(content["asks"]?.count == 30 && content["bids"]?.count == 30)
                let snapshot = try Follower(snapshot: content)
                #expect(snapshots.allSatisfy { $0 < snapshot.at })
                snapshots.append(snapshot.at)
                guard snapshot.at > follower.at else { continue }
                #expect(follower.agrees(with: snapshot))
                follower = snapshot
                compared += 1
            }
            _ = SimulatorFixture.rest(simulator)
            for message in try client.everythingSoFar() where message.contains("orderbookdepth") {
                try follower.apply(try #require(JSONValue.parse(message)?["content"]))
            }
            let last = try Follower(rest: try SimulatorFixture.get(path, simulator))
            #expect(follower.agrees(with: last))
        }
    }

    @Test("only subscribed books and types are sent")
    func subscription() async throws {
        var configuration = SimulatorFixture.configuration()
        if case .simulation(var simulation) = configuration.feed {
            simulation.bookFramesPerSecond = 500
            configuration.feed = .simulation(simulation)
        }
        try await SimulatorFixture.run(configuration) { simulator in
            let silent = try StreamClient(simulator)
            try silent.subscribe(["BTC_KRW"])
            let client = try StreamClient(simulator)
            try client.send(StreamClient.request(type: "orderbookdepth", ["ETH_KRW"], nil))
            for _ in 0..<300 {
                let message = try client.next { $0.contains(#""content""#) }
                #expect(message.contains(#""type":"orderbookdepth""#))
                #expect(!message.contains("BTC_KRW"))
            }
            _ = SimulatorFixture.rest(simulator)
            let received = try silent.everythingSoFar()
            #expect(!received.contains { $0.contains("orderbook") })
            // A repeated type replaces the previous list.
            try client.send(StreamClient.request(type: "orderbookdepth", ["XRP_KRW"], nil))
            simulator.resume()
            _ = try client.next { $0.contains("XRP_KRW") }
            for _ in 0..<100 {
                #expect(try client.next { $0.contains(#""content""#) }.contains("XRP_KRW"))
            }
        }
    }

    @Test("a broken frame is sent in addition, and skipping it keeps the book correct")
    func faults() async throws {
        try await SimulatorFixture.run { simulator in
            simulator.start(.wrongTypes(every: 1))
            let client = try StreamClient(simulator)
            try client.send(StreamClient.request(type: "orderbookdepth", ["BTC_KRW"], nil))
            let right = try client.next { $0.contains(#""content""#) }
            #expect(JSONValue.parse(right)?["content"]?["list"]?[0]?["price"]?.text != nil)
            let broken = try client.next { !$0.contains("Filter") }
            let price = JSONValue.parse(broken)?["content"]?["list"]?[0]?["price"]
            #expect(price != nil && price?.text == nil)
        }
    }
}
