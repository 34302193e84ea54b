import DataSourceContracts
import Domain
import Repositories
import TestSupport
import Testing

@Suite("Order book messages are mapped to changes and snapshots")
struct DepthMappingTests {
    private static let at: Int64 = 1_795_147_391_240_601

    private func depth(
        _ changes: [(isAsk: Bool, price: WireDecimal, quantity: WireDecimal)],
        symbol: String = "XRP_KRW"
    ) -> OrderBookDepthDTO {
        OrderBookDepthDTO(
            symbol: symbol,
            atMicroseconds: Self.at,
            changes: changes.map {
                OrderBookDepthDTO.Change(isAsk: $0.isAsk, price: $0.price, quantity: $0.quantity)
            }
        )
    }

    private func book(
        asks: [(WireDecimal, WireDecimal)] = [],
        bids: [(WireDecimal, WireDecimal)] = [],
        symbol: String = "XRP_KRW"
    ) -> OrderBookDTO {
        OrderBookDTO(
            symbol: symbol,
            atMicroseconds: Self.at,
            asks: asks.map { BookLevelDTO(price: $0.0, quantity: $0.1) },
            bids: bids.map { BookLevelDTO(price: $0.0, quantity: $0.1) }
        )
    }

    private func level(_ price: FixedDecimal, _ quantity: FixedDecimal) -> BookLevel {
        BookLevel(price: price, quantity: quantity)
    }

    @Test("the mapping keeps changes in the order of the wire, with zeros of any spelling")
    func changes() {
        var skipped = 0
        let delta = DepthMapping.delta(
            depth([
                (true, "1211", "0"), (true, "1210.50", "0.000"), (false, "1209", "35.5001"),
                (false, "0.00000037", "19861213426.7"),
            ]),
            skipped: &skipped
        )
        let expected = OrderBookDelta(
            market: "XRP_KRW",
            at: Timestamp(microseconds: Self.at),
            changes: [
                OrderBookDelta.Change(side: .ask, price: "1211", quantity: "0"),
                OrderBookDelta.Change(side: .ask, price: "1210.5", quantity: "0"),
                OrderBookDelta.Change(side: .bid, price: "1209", quantity: "35.5001"),
                OrderBookDelta.Change(side: .bid, price: "0.00000037", quantity: "19861213426.7"),
            ]
        )
        #expect(delta == expected)
        #expect(skipped == 0)
    }

    @Test(
        "an implausible change is skipped and counted",
        arguments: [
            ("0", "1"), ("-1211", "1"), ("1211", "-0.0001"),
            ("1000000000000000000000000", "1"), ("1211", "1000000000000000000000000"),
        ] as [(WireDecimal, WireDecimal)]
    )
    func unreadableChange(price: WireDecimal, quantity: WireDecimal) {
        var skipped = 2
        let delta = DepthMapping.delta(
            depth([(true, price, quantity), (false, "1209", "35.5")]),
            skipped: &skipped
        )
        let rest = OrderBookDelta.Change(side: .bid, price: "1209", quantity: "35.5")
        #expect(delta?.changes == [rest])
        #expect(skipped == 3)
        let alone = DepthMapping.delta(depth([(true, price, quantity)]), skipped: &skipped)
        #expect(alone == nil)
        #expect(skipped == 4)
    }

    @Test(
        "the mapping ignores changes of an invalid market",
        arguments: ["", "XRP", "XRP_USD", "xrp_KRW"]
    )
    func noMarket(symbol: String) {
        var skipped = 0
        let changes = depth([(true, "1", "1"), (true, "2", "1")], symbol: symbol)
        #expect(DepthMapping.delta(changes, skipped: &skipped) == nil)
        #expect(skipped == 2)
        let snapshot = DepthMapping.snapshot(
            book(symbol: symbol),
            origin: .rest,
            skipped: &skipped
        )
        #expect(snapshot == nil)
        #expect(skipped == 3)
    }

    @Test("the mapping drops empty levels silently, and counts bad ones")
    func levels() {
        var skipped = 0
        let snapshot = DepthMapping.snapshot(
            book(
                asks: [("1210", "120.0421"), ("1211", "0.0000"), ("1212", "-1"), ("1213", "7")],
                bids: [("1209", "35.5"), ("-1208", "1"), ("0", "0"), ("0", "5")]
            ),
            origin: .stream,
            skipped: &skipped
        )
        #expect(snapshot?.market == "XRP_KRW")
        #expect(snapshot?.at == Timestamp(microseconds: Self.at))
        #expect(snapshot?.origin == .stream)
        #expect(snapshot?.asks == [level("1210", "120.0421"), level("1213", "7")])
        #expect(snapshot?.bids == [level("1209", "35.5")])
        // An unreadable or zero level still counts as a listed level.
        #expect(snapshot?.asksListed == 4)
        #expect(snapshot?.bidsListed == 2)
        #expect(snapshot?.unreadableCount == 2)
        #expect(skipped == 2)
    }

    @Test("the mapping tells the last listed price of a side that ends in a level without quantity")
    func emptyEnd() {
        var skipped = 0
        let snapshot = DepthMapping.snapshot(
            book(
                asks: [("1210", "1"), ("1211", "0"), ("1212", "0.0000")],
                bids: [("1209", "0"), ("1208", "1"), ("0", "0")]
            ),
            origin: .stream,
            skipped: &skipped
        )
        #expect(snapshot?.lastPrice(.ask) == "1212" && snapshot?.emptyAskPrice == "1212")
        #expect(snapshot?.lastPrice(.bid) == "1208" && snapshot?.emptyBidPrice == nil)
        #expect(skipped == 0)
    }

    @Test("the mapping counts unreadable levels of REST as listed")
    func unreadableLevels() {
        var dto = book(asks: [("1210", "1")], bids: [("1209", "1"), ("1208", "0")])
        dto.skippedCount = 28
        var skipped = 0
        let rest = DepthMapping.snapshot(dto, origin: .rest, skipped: &skipped)
        #expect(skipped == 28)
        #expect(rest?.isComplete(.ask) == true)
        #expect(rest?.isComplete(.bid) == false)
        #expect(rest?.unreadableCount == 28)
        let stream = DepthMapping.snapshot(dto, origin: .stream, skipped: &skipped)
        #expect(skipped == 28)
        #expect(stream?.isComplete(.bid) == false)
        #expect(stream?.unreadableCount == 28)
    }

    @Test("the mapping accepts a book with empty sides")
    func emptyBook() {
        var skipped = 0
        let snapshot = DepthMapping.snapshot(book(), origin: .rest, skipped: &skipped)
        #expect(snapshot?.asks == [])
        #expect(snapshot?.bids == [])
        #expect(snapshot?.origin == .rest)
    }

    @Test("the mapping sorts sides, each price once", arguments: UInt64(0)..<50)
    func anyOrder(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...40, using: &generator)
        let wire = (0..<count).map { _ in
            // Few prices and two spellings of each: repeats are certain.
            let price = Int128.random(in: 1...25, using: &generator)
            let isLong = Bool.random(using: &generator)
            return BookLevelDTO(
                price: WireDecimal(mantissa: isLong ? price * 10 : price, scale: isLong ? 1 : 0),
                quantity: WireDecimal(
                    mantissa: Int128.random(in: 0...9, using: &generator),
                    scale: 2
                )
            )
        }
        var dto = book()
        dto.asks = wire
        dto.bids = wire
        var skipped = 0
        let snapshot = try #require(
            DepthMapping.snapshot(dto, origin: .stream, skipped: &skipped)
        )
        var expected: [FixedDecimal: FixedDecimal] = [:]
        for level in wire where level.quantity.mantissa != 0 {
            let price = level.price.mantissa / (level.price.scale == 1 ? 10 : 1)
            expected[FixedDecimal(Int64(price))] =
                FixedDecimal(units: level.quantity.mantissa * (FixedDecimal.unitsPerOne / 100))
        }
        let prices = expected.keys.sorted()
        #expect(snapshot.asks.map(\.price) == prices)
        #expect(snapshot.bids.map(\.price) == prices.reversed())
        #expect(snapshot.asks.allSatisfy { expected[$0.price] == $0.quantity })
        #expect(snapshot.bids.allSatisfy { expected[$0.price] == $0.quantity })
        #expect(skipped == 0)
    }
}
