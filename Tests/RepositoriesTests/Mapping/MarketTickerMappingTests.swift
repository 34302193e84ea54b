import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Tickers of API 2.x are mapped to rows and listings; invalid ones are counted")
struct MarketTickerMappingTests {
    private static let at: Int64 = 1_795_147_391_240
    private static let trade = MarketTradeDTO(
        market: "KRW-XRP",
        atMilliseconds: at,
        takerBought: true,
        price: "1211",
        quantity: "35.5",
        sequentialID: 7
    )

    private func ticker(_ change: (inout MarketTickerDTO) -> Void = { _ in }) -> MarketTickerDTO {
        var ticker = MarketTickerDTO(
            market: "KRW-SUN_OLD",
            tradedAtMilliseconds: Self.at,
            tradePrice: "1210"
        )
        ticker.openingPrice = "1204"
        ticker.highPrice = "1215"
        ticker.lowPrice = "1199"
        ticker.prevClosingPrice = "1203"
        ticker.accTradePrice = "97912345.1234"
        ticker.accTradePrice24H = "144512345.99"
        ticker.accTradeVolume = "81234.5511"
        ticker.accTradeVolume24H = "120000.01"
        change(&ticker)
        return ticker
    }

    private static var expected: ListingEntry {
        var entry = ListingEntry(market: "SUN_OLD_KRW")
        entry.price = "1210"
        entry.tradedAt = Timestamp(milliseconds: at)
        entry.isSuspended = nil
        entry.previousClose = "1203"
        entry.openToday = "1204"
        entry.highToday = "1215"
        entry.lowToday = "1199"
        entry.tradeValueToday = "97912345.1234"
        entry.volumeToday = "81234.5511"
        entry.tradeValue24h = "144512345.99"
        entry.volume24h = "120000.01"
        return entry
    }

    @Test("each number is mapped exactly from its own field")
    func fields() {
        let row = MarketTickerMapping.row(ticker())
        #expect(row?.entry == Self.expected)
        #expect(row?.at == Timestamp(milliseconds: Self.at))
        #expect(
            MarketTickerMapping.row(ticker { $0.isSuspended = true })?.entry.isSuspended == true
        )
    }

    @Test("a ticker without a possible market, price or time is none")
    func impossible() {
        for bad in [
            ticker { $0.market = "EUR-BTC" }, ticker { $0.market = "BTC" },
            ticker { $0.tradePrice = "0" }, ticker { $0.tradePrice = "-1" },
            ticker { $0.tradedAtMilliseconds = 0 },
            ticker { $0.tradedAtMilliseconds = Self.at * 1_000 },
        ] {
            #expect(MarketTickerMapping.row(bad) == nil, "\(bad)")
        }
    }

    @Test("an impossible figure beside a good price is unknown")
    func impossibleFigures() {
        let entry = MarketTickerMapping.row(
            ticker {
                $0.openingPrice = "0"
                $0.prevClosingPrice = "-5"
                $0.accTradeVolume24H = "-1"
                $0.accTradePrice = nil
            }
        )?.entry
        #expect(entry?.price == "1210")
        #expect(entry?.openToday == nil && entry?.previousClose == nil)
        #expect(entry?.volume24h == nil && entry?.tradeValueToday == nil)
        #expect(entry?.highToday == "1215")
    }

    @Test("a listing has the time of its round, and names markets without a ticker")
    func listing() {
        let at = Timestamp(milliseconds: Self.at - 2_000)
        let older = ticker {
            $0.market = "KRW-BTC"
            $0.tradedAtMilliseconds = Self.at - 5_000
        }
        let bad = ticker { $0.market = "EUR-BTC" }
        let answer = MarketTickersDTO(tickers: [older, ticker(), bad], skippedCount: 2)
        let listed: [MarketID] = ["SUN_OLD_KRW", "XRP_KRW", "BTC_KRW"]
        let (listing, skipped) = MarketTickerMapping.listing(
            listed,
            quote: .krw,
            answer,
            at: at
        )
        #expect(listing.at == at)
        #expect(listing.entries.map(\.market) == ["BTC_KRW", "SUN_OLD_KRW"])
        #expect(listing.unreadable == ["XRP_KRW"])
        #expect(listing.suspended.isEmpty)
        #expect(skipped == 3)
    }

    @Test(
        "the time in a stream id is a trade's time, unless it is far from the frame's",
        arguments: [
            (862_683_813_820_523_888, 1_783_658_381_138, 0),
            (862_683_813_820_523_888, 1_783_658_381_138, 1),
            (921_046_844_841_158_138, 1_785_397_735_004, -1),
            (17_901_659_132_400_007, 1_790_165_913_240, 1),
        ] as [(Int64, Int64, Int64)]
    )
    func streamID(id: Int64, milliseconds: Int64, distance: Int64) {
        var trade = MarketTradeDTO(
            market: "KRW-XRP",
            atMilliseconds: milliseconds + distance,
            takerBought: true,
            price: "1211",
            quantity: "35.5",
            sequentialID: id
        )
        #expect(StreamTradeID.milliseconds(of: trade) == milliseconds)
        trade.atMilliseconds = milliseconds + 5_000
        #expect(StreamTradeID.milliseconds(of: trade) == milliseconds + 5_000)
        for other in [nil, 0, -1, .max] as [Int64?] {
            trade.sequentialID = other
            #expect(StreamTradeID.milliseconds(of: trade) == milliseconds + 5_000)
        }
    }

    @Test("frames of the state at the request become states, and no trades")
    func snapshots() {
        var trade = Self.trade
        trade.isSnapshot = true
        let messages: [StreamMessageDTO] = [
            .trade(trade), .marketTicker(ticker { $0.isSnapshot = true }),
        ]
        #expect(
            StreamMapping.events(messages) == [
                .state(Self.expected, at: Timestamp(milliseconds: Self.at))
            ]
        )
    }

    @Test("a trade whose message arrives twice is mapped once; equal trades have other ids")
    func duplicates() {
        let trade = Self.trade
        var equal = trade
        equal.sequentialID = 8
        var other = trade
        other.market = "KRW-BTC"
        var nameless = trade
        nameless.sequentialID = nil
        var recent = RecentTrades()
        let first = StreamMapping.events([.trade(trade), .trade(trade)], after: &recent)
        #expect(first.count == 1)
        let next: [StreamMessageDTO] = [
            .trade(equal), .trade(other), .trade(nameless), .trade(nameless), .trade(trade),
        ]
        let events = StreamMapping.events(next, after: &recent)
        #expect(events.count == 4)
    }

    @Test("the oldest of many trades of a market is forgotten")
    func duplicatesMax() {
        var trade = Self.trade
        var recent = RecentTrades()
        var added: [Bool] = []
        for id in Array(0...RecentTrades.countMax) + [1, 0] {
            trade.sequentialID = Int64(id)
            added.append(recent.add(trade))
        }
        #expect(added.count { !$0 } == 1)
        #expect(added.suffix(2) == [false, true])
    }

    @Test("frames become rows and trades; those of the future or without a price are counted")
    func frames() {
        let trade = Self.trade
        var free = trade
        free.price = "0"
        var late = trade
        late.atMilliseconds += 60_000
        let messages: [StreamMessageDTO] = [
            .marketTicker(ticker()), .trade(trade), .trade(free), .trade(late),
            .marketTicker(ticker { $0.tradePrice = "0" }),
            .marketTicker(ticker { $0.tradedAtMilliseconds += 60_000 }),
        ]
        let limit = Timestamp(milliseconds: Self.at + 1_000)
        #expect(
            StreamMapping.events(messages, notAfter: limit) == [
                .row(Self.expected, at: Timestamp(milliseconds: Self.at)),
                .trade(
                    Trade(
                        market: "XRP_KRW",
                        price: "1211",
                        quantity: "35.5",
                        side: .buy,
                        executedAt: Timestamp(milliseconds: Self.at)
                    )
                ), .skipped(4, .stream),
            ]
        )
    }

    @Test("a book is mapped from either spelling of its market")
    func books() {
        for symbol in ["KRW-SUN_OLD", "SUN_OLD_KRW"] {
            let dto = OrderBookDTO(
                symbol: symbol,
                atMicroseconds: Self.at * 1_000,
                asks: [BookLevelDTO(price: "2", quantity: "1")],
                bids: [BookLevelDTO(price: "1", quantity: "1")]
            )
            var skipped = 0
            let book = DepthMapping.snapshot(dto, origin: .stream, skipped: &skipped)
            #expect(book?.market == "SUN_OLD_KRW")
            #expect(skipped == 0)
        }
    }
}
