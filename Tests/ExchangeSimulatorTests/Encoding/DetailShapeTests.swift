import Domain
import Testing

@testable import ExchangeSimulator

@Suite("Books, trades and candles have the exchange's bytes")
struct DetailShapeTests {
    private static let time = SeoulTime.timestamp(
        year: 2026,
        month: 11,
        day: 20,
        hour: 9,
        minute: 3,
        second: 7,
        microsecond: 242_601
    )

    /// A market with a last price of 0.0002 won: no bid below 0.0001 is possible.
    private static func market(_ name: String, price: Int64) throws -> SimulatedMarket {
        let minutes = [Minute](repeating: Minute(close: price), count: MinuteHistory.capacity)
        return SimulatedMarket(
            id: try #require(MarketID(name: name)),
            anchor: price,
            weight: 1_000,
            standing: .active,
            price: price,
            history: MinuteHistory(minutes: minutes, current: SeoulMinute.number(of: time)),
            day: SimulatedMarket.Day(open: nil, previousClose: price),
            past: nil,
            bookSeed: 1
        )
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("changes of a book: asks before bids, symbols in the items, all values texts")
    func changes() throws {
        let market = try Self.market("BTC_KRW", price: 1_432_100_000_000)
        let book = SimulatedBook(
            of: market,
            asks: [
                SimulatedLevel(price: 1_432_110_000_000, quantity: 0, orders: 0),
                SimulatedLevel(price: 1_432_120_000_000, quantity: 550, orders: 2),
            ],
            bids: [SimulatedLevel(price: 1_432_090_000_000, quantity: 212_777_350, orders: 1)]
        )
        var writer = OrderBookWriter()
        let message =
            #"{"type":"orderbookdepth","content":{"list":["#
            + #"{"symbol":"BTC_KRW","orderType":"ask","price":"143211000","#
            + #""quantity":"0","total":"0"},"#
            + #"{"symbol":"BTC_KRW","orderType":"ask","price":"143212000","#
            + #""quantity":"0.055","total":"2"},"#
            + #"{"symbol":"BTC_KRW","orderType":"bid","price":"143209000","#
            + #""quantity":"21277.735","total":"1"}"#
            + #"],"datetime":"1795132987242601"}}"#
        #expect(Self.text(writer.changes(of: book, market, at: Self.time)) == message)
    }

    @Test("a book snapshot: pairs of texts, asks before bids, tiny remainders as quantity 0")
    func snapshot() throws {
        let market = try Self.market("BTT_KRW", price: 2)
        let book = SimulatedBook(
            of: market,
            asks: [
                SimulatedLevel(price: 3, quantity: 10_000, orders: 1),
                SimulatedLevel(price: 4, quantity: 0, orders: 1),
            ],
            bids: []
        )
        var writer = OrderBookWriter()
        let message =
            #"{"type":"orderbooksnapshot","content":{"symbol":"BTT_KRW","#
            + #""datetime":"1795132987242601","asks":[["0.0003","1"],["0.0004","0"]],"bids":[]}}"#
        #expect(Self.text(writer.snapshot(of: book, market, at: Self.time)) == message)
        let body =
            #"{"status":"0000","data":{"timestamp":"1795132987242","payment_currency":"KRW","#
            + #""order_currency":"BTT","bids":[],"asks":[{"price":"0.0003","quantity":"1"},"#
            + #"{"price":"0.0004","quantity":"0"}]}}"#
        #expect(
            Self.text(writer.single(book, of: market, count: 30, at: Self.time)) == body
        )
    }

    @Test("books of all coins: two other keys, then each coin")
    func all() throws {
        let market = try Self.market("ETH_BTC", price: 3_250_000)
        let book = SimulatedBook(
            of: market,
            asks: [SimulatedLevel(price: 3_250_001, quantity: 15_000, orders: 1)],
            bids: [
                SimulatedLevel(price: 3_250_000, quantity: 1, orders: 1),
                SimulatedLevel(price: 3_249_999, quantity: 2, orders: 1),
            ]
        )
        var writer = OrderBookWriter()
        let other = try Self.market("XRP_BTC", price: 2_430)
        let bodies = writer.all(
            [(book, market), (.empty(of: other), other)],
            of: .btc,
            count: 1,
            at: Self.time
        )
        let expected =
            #"{"status":"0000","data":{"timestamp":"1795132987242","payment_currency":"BTC","#
            + #""ETH":{"order_currency":"ETH","bids":[{"price":"0.0325","quantity":"0.0001"}],"#
            + #""asks":[{"price":"0.03250001","quantity":"1.5"}]},"#
            + #""XRP":{"order_currency":"XRP","bids":[],"asks":[]}}}"#
        #expect(Self.text(bodies) == expected)
        let none =
            #"{"status":"0000","data":{"timestamp":"1795132987242","payment_currency":"KRW"}}"#
        #expect(Self.text(writer.all([], of: .krw, count: 5, at: Self.time)) == none)
    }

    @Test("trades: whole seconds in Seoul, totals truncated to won or to eight digits of a bitcoin")
    func trades() throws {
        var writer = HistoryResponseWriter()
        let bitcoin = try Self.market("BTC_KRW", price: 471_990_000_000)
        let trade = SimulatedTrade(
            price: 471_990_000_000,
            quantity: 120_000,
            isBuy: true,
            isUp: false,
            at: Self.time
        )
        var sale = trade
        sale.isBuy = false
        sale.at = Self.time.advanced(by: .seconds(4))
        #expect(
            Self.text(writer.trades([trade, sale], of: bitcoin))
                == #"{"status":"0000","data":["#
                + #"{"transaction_date":"2026-11-20 09:03:07","type":"bid","#
                + #""units_traded":"0.0012","price":"47199000","total":"56638"},"#
                + #"{"transaction_date":"2026-11-20 09:03:11","type":"ask","#
                + #""units_traded":"0.0012","price":"47199000","total":"56638"}]}"#
        )
        let ether = try Self.market("ETH_BTC", price: 6_371_734)
        let small = SimulatedTrade(
            price: 6_371_734,
            quantity: 320_000,
            isBuy: true,
            isUp: false,
            at: Self.time
        )
        #expect(
            Self.text(writer.trades([small], of: ether))
                == #"{"status":"0000","data":["#
                + #"{"transaction_date":"2026-11-20 09:03:07","type":"bid","#
                + #""units_traded":"0.0032","price":"0.06371734","total":"0.00020389"}]}"#
        )
        let none: [SimulatedTrade] = []
        #expect(Self.text(writer.trades(none, of: ether)) == #"{"status":"0000","data":[]}"#)
    }

    @Test("candles: time as number, close before high and low, no zero before a point")
    func candles() throws {
        let market = try Self.market("BTC_KRW", price: 471_990_000_000)
        func row(volume: Int128) throws -> CandleRow {
            var minute = Minute(close: 471_990_000_000)
            minute.open = 471_980_000_000
            minute.high = 472_000_000_000
            minute.low = 471_970_000_000
            minute.bought = volume * 100
            return try #require(CandleRow(minute, start: 29_918_880, last: 29_918_880))
        }
        let rows = [
            SimulatedMarket.WrittenRow(minute: 29_918_880, row: try row(volume: 91_590_000)),
            SimulatedMarket.WrittenRow(minute: 29_918_887, row: try row(volume: 1_050_000_000)),
        ]
        var writer = HistoryResponseWriter()
        #expect(
            Self.text(writer.candles(rows, of: market))
                == #"{"status":"0000","data":["#
                + #"[1795132800000,"47198000","47199000","47200000","47197000",".9159"],"#
                + #"[1795133220000,"47198000","47199000","47200000","47197000","10.5"]]}"#
        )
    }
}
