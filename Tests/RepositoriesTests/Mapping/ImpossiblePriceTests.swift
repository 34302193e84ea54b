import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("No message of API 2.x gives a price of zero or less, or a negative volume")
struct ImpossiblePriceTests {
    private static let at: Int64 = 1_795_147_391_240
    /// Zero, less than zero, and what FixedDecimal rounds to zero or cannot hold.
    private static let impossible: [WireDecimal] = [
        "0", "0.0000", "-0", "-1", "-0.00000001", WireDecimal(mantissa: 0, scale: 26),
        WireDecimal(mantissa: -1, scale: 26), WireDecimal(mantissa: 1, scale: -30),
    ]
    private static let negative: [WireDecimal] = ["-1", "-0.00000001", "-35.5"]

    private static func trade(price: WireDecimal, quantity: WireDecimal) -> MarketTradeDTO {
        MarketTradeDTO(
            market: "KRW-XRP",
            atMilliseconds: at,
            takerBought: true,
            price: price,
            quantity: quantity,
            sequentialID: nil
        )
    }

    private static func ticker(_ price: WireDecimal) -> MarketTickerDTO {
        MarketTickerDTO(market: "KRW-XRP", tradedAtMilliseconds: at, tradePrice: price)
    }

    @Test("frames are skipped and counted", arguments: impossible)
    func frames(price: WireDecimal) {
        let messages: [StreamMessageDTO] = [
            .marketTicker(Self.ticker(price)), .trade(Self.trade(price: price, quantity: "1")),
        ]
        #expect(StreamMapping.events(messages) == [.skipped(2, .stream)])
    }

    @Test("figures beside a price are unknown", arguments: impossible)
    func figures(price: WireDecimal) throws {
        var ticker = Self.ticker("7")
        (ticker.openingPrice, ticker.highPrice) = (price, price)
        (ticker.lowPrice, ticker.prevClosingPrice) = (price, price)
        let entry = try #require(MarketTickerMapping.row(ticker)?.entry)
        #expect(entry.price == "7")
        #expect(entry.openToday == nil && entry.highToday == nil)
        #expect(entry.lowToday == nil && entry.previousClose == nil)
    }

    @Test("a listing names the market without a price", arguments: impossible)
    func listing(price: WireDecimal) {
        let (listing, skipped) = MarketTickerMapping.listing(
            ["XRP_KRW"],
            quote: .krw,
            MarketTickersDTO(tickers: [Self.ticker(price)]),
            at: Timestamp(milliseconds: Self.at)
        )
        #expect(listing.entries.isEmpty && listing.unreadable == ["XRP_KRW"] && skipped == 1)
    }

    @Test("book levels are dropped", arguments: impossible)
    func books(price: WireDecimal) throws {
        for origin in [.rest, .stream] as [OrderBookSnapshot.Origin] {
            var skipped = 0
            let dto = OrderBookDTO(
                symbol: "KRW-XRP",
                atMicroseconds: Self.at * 1_000,
                asks: [
                    BookLevelDTO(price: "2", quantity: "1"),
                    BookLevelDTO(price: price, quantity: "1"),
                ],
                bids: [BookLevelDTO(price: price, quantity: "1")]
            )
            let book = try #require(
                DepthMapping.snapshot(dto, origin: origin, skipped: &skipped)
            )
            #expect(book.asks.map(\.price) == ["2"] && book.bids.isEmpty)
            #expect(book.lastPrice(.ask) == "2" && book.lastPrice(.bid) == nil)
        }
    }

    @Test("candles and past trades are skipped and counted", arguments: impossible)
    func history(price: WireDecimal) {
        let row = HistoricTradeDTO(
            atMilliseconds: Self.at,
            takerBought: true,
            quantity: "1",
            price: price
        )
        #expect(TradeHistoryMapping.row(row, in: .millisecond, notAfter: nil) == nil)
        for place in 0..<4 {
            let prices = (0..<4).map { $0 == place ? price : "5" as WireDecimal }
            let candle = CandleDTO(
                atMilliseconds: Self.at,
                open: prices[0],
                close: prices[1],
                high: prices[2],
                low: prices[3],
                volume: "1"
            )
            let (page, skipped) = CandleMapping.page(
                CandlesDTO(rows: [candle]),
                of: "XRP_KRW",
                interval: .minute1,
                requestedAt: .noon(),
                answeredAt: .noon(),
                notAfter: nil
            )
            #expect(page.candles.isEmpty && skipped == 1)
        }
    }

    @Test("trades with a negative volume are skipped and counted", arguments: negative)
    func volumes(quantity: WireDecimal) {
        let trade = Self.trade(price: "5", quantity: quantity)
        #expect(StreamMapping.events([.trade(trade)]) == [.skipped(1, .stream)])
        let row = HistoricTradeDTO(
            atMilliseconds: Self.at,
            takerBought: true,
            quantity: quantity,
            price: "5"
        )
        #expect(TradeHistoryMapping.row(row, in: .millisecond, notAfter: nil) == nil)
    }
}
