import Domain
import Foundation
import UseCases
import ViewStates
import TestSupport
import Testing

@Suite("Market details over HTTP")
struct MarketDetailRouteTests {
    static let market: MarketID = "XRP_KRW"
    private let markets: MarketServiceFixture

    init() throws {
        markets = try MarketServiceFixture()
        markets.openDetail()
    }

    @Test("each path returns its producer's bytes")
    func documents() throws {
        let query = MarketDetailQuery(market: Self.market)
        let documents: [(String, String, Int, DocumentQuery)] = [
            ("", "market-detail", 2, .marketDetail(query)),
            ("/orderbook", "order-book", 1, .orderBook(query)),
            ("/trades", "trades", 1, .trades(query)),
            ("/candles", "candles", 2, .candles(query)),
        ]
        for (part, schema, version, query) in documents {
            let answer = try ask(part)
            #expect(answer.status == 200)
            #expect(answer.fields["content-type"] == "application/json")
            #expect(answer.fields["cache-control"] == "no-cache")
            #expect(answer.body == markets.documents.bytes(query).bytes)
            #expect(try answer.json["schema"] == .string(schema))
            #expect(try answer.json["version"] == .number("\(version)"))
            let state = try #require(try answer.json["state"])
            let market = schema == "market-detail" ? state["header"]?["market"] : state["market"]
            #expect(market == .string("XRP_KRW"))
        }
    }

    @Test(
        "a market is accepted in any spelling and named canonically",
        arguments: [
            "XRP_KRW", "xrp_krw", "KRW-XRP", "krw-xrp", "%58RP_KRW", "XRP%5FKRW", "KRW%2DXRP",
            "x%72p_krw",
        ]
    )
    func spelling(text: String) throws {
        let answer = try markets.served.ask("GET", "/v1/markets/\(text)/orderbook")
        #expect(answer.status == 200)
        #expect(try answer.json["state"]?["market"] == .string("XRP_KRW"))
        // An escaped slash parts nothing: what it leads past a proxy is nowhere.
        let hidden = try markets.served.ask("GET", "/v1/markets/\(text)%2Forderbook")
        #expect(hidden.status == 404)
    }

    @Test("HEAD is answered as GET without a body; other methods are 405")
    func methods() throws {
        for part in ["", "/orderbook", "/trades", "/candles"] {
            let get = try ask(part)
            let head = try markets.served.ask("HEAD", "/v1/markets/XRP_KRW\(part)")
            #expect(head.status == 200)
            #expect(head.fields["content-length"] == get.fields["content-length"])
            let post = try markets.served.ask("POST", "/v1/markets/XRP_KRW\(part)")
            #expect(post.status == 405 && post.fields["allow"] == "GET, HEAD")
        }
    }

    @Test(
        "other paths are 404",
        arguments: [
            "/v1/markets/XRP_KRW/", "/v1/markets/XRP_KRW/book", "/v1/markets/XRP_KRW/trades/",
            "/v1/markets/XRP_KRW/ORDERBOOK", "/v1/markets//orderbook", "/v1/markets/XRP/orderbook",
            "/v1/markets/XRP_KRW/orderbook/x", "/v1/markets/XRP_USDT", "/v1/markets/%2e%2e",
            "/v1/markets/XRP_KRW%20", "/v1/markets/%EC%9B%90", "/v1/snapshot/", "/v1/Snapshot",
            "/v2/markets/XRP_KRW", "/v1/markets/XRP_KRW//trades",
        ]
    )
    func notFound(target: String) throws {
        let answer = try markets.served.ask("GET", target)
        #expect(answer.status == 404)
        #expect(try answer.json["code"] == .string("not_found"))
        // An unknown market is not followed.
        #expect(markets.interests.wanted.isEmpty)
    }

    @Test("an unknown market is 404 and is not followed")
    func unknownMarket() throws {
        for part in ["", "/orderbook", "/trades", "/candles"] {
            let answer = try markets.served.ask("GET", "/v1/markets/none_krw\(part)")
            #expect(answer.status == 404)
            let problem = try answer.json
            #expect(problem["code"] == .string("not_found"))
            #expect(problem["detail"] == .string("the exchange has no market NONE_KRW"))
        }
        #expect(markets.interests.wanted.isEmpty)
    }

    @Test("before the first listing no market is unknown")
    func notListedYet() throws {
        var sample = SampleBoard()
        let failure = FeedFailure(code: .timedOut, detail: "ticker", isRetryable: true)
        sample.apply(.feed(.listingFailed(failure, nextRetryAt: sample.now)))
        sample.open(Self.market, .book)
        sample.book(Self.market, asks: [], bids: [])
        let answer = try MarketServiceFixture(sample).served.ask(
            "GET",
            "/v1/markets/XRP_KRW/orderbook"
        )
        #expect(answer.status == 200)
        #expect(try answer.json["state"]?["levelsKept"] == .number("0"))
    }

    @Test("a request registers interest in its details")
    func glance() throws {
        _ = try ask("/orderbook")
        var wanted: Set = [DetailInterest(market: Self.market, facet: .book)]
        #expect(markets.interests.wanted == wanted)
        _ = try ask("/trades")
        wanted.insert(DetailInterest(market: Self.market, facet: .trades))
        #expect(markets.interests.wanted == wanted)
        _ = try ask("", ["interval": "1m"])
        wanted.insert(DetailInterest(market: Self.market, facet: .candles(.minute1)))
        wanted.insert(DetailInterest(market: Self.market, facet: .candles(.day1)))
        #expect(markets.interests.wanted == wanted)
        _ = try markets.list()
        #expect(markets.interests.wanted == wanted)
    }

    @Test("beyond the limit of interests a new request is 429")
    func overloaded() throws {
        let now = SampleBoard.start
        for number in 0..<DetailInterests.interestsMax {
            let market = try #require(MarketID(symbol: "A\(number)", quote: .krw))
            let interest = DetailInterest(market: market, facet: .book)
            #expect(markets.interests.touch([interest], now: now))
        }
        let answer = try ask("/orderbook")
        #expect(answer.status == 429 && answer.fields["retry-after"] == "5")
        let problem = try answer.json
        #expect(problem["code"] == .string("rate_limited"))
        #expect(problem["retryable"] == .boolean(true))
        #expect(try markets.list().status == 200)
    }

    @Test("since and before page the tape; a trade that left it is 410")
    func cursors() throws {
        let rows = try #require(try ask("/trades").json["state"]?["rows"]?.elements)
        let ids = rows.compactMap { $0["id"]?.text }
        #expect(ids.count == 2)
        func neighbors(_ parameter: String, _ id: String) throws -> [String?]? {
            try ask("/trades", [parameter: id]).json["state"]?["rows"]?.elements?
                .map { $0["id"]?.text }
        }
        #expect(try neighbors("since", ids[1]) == [ids[0]])
        #expect(try neighbors("since", ids[0]) == [])
        #expect(try neighbors("before", ids[0]) == [ids[1]])
        #expect(try neighbors("before", ids[1]) == [])
        for parameter in ["since", "before"] {
            for id in ["1795176191151220.0", "0.0", ids[0] + "7"] {
                let answer = try ask("/trades", [parameter: id])
                #expect(answer.status == 410)
                #expect(try answer.json["code"] == .string("cursor_expired"))
                #expect(try answer.json["retryable"] == .boolean(false))
            }
        }
    }

    @Test("since reads the oldest trades after an id, before the newest; hasMore tells of others")
    func pages() throws {
        for number in 1...6 {
            markets.wait(.seconds(1)) {
                $0.trade(Self.market, at: FixedDecimal(Int64(700 + number)))
            }
        }
        func page(
            _ parameters: KeyValuePairs<String, String>
        ) throws -> (ids: [String], hasMore: OrderedJSON?) {
            let state = try ask("/trades", parameters).json["state"]
            let rows = try #require(state?["rows"]?.elements)
            return (rows.compactMap { $0["id"]?.text }, state?["hasMore"])
        }
        let (ids, hasMore) = try page([:])
        #expect(ids.count == 8 && hasMore == .boolean(false))
        let newest = try page(["limit": "3"])
        #expect(newest.ids == Array(ids[..<3]) && newest.hasMore == .boolean(true))
        let first = try page(["since": ids[7], "limit": "3"])
        #expect(first.ids == Array(ids[4..<7]) && first.hasMore == .boolean(true))
        let second = try page(["since": first.ids[0], "limit": "3"])
        #expect(second.ids == Array(ids[1..<4]) && second.hasMore == .boolean(true))
        let third = try page(["since": second.ids[0], "limit": "3"])
        #expect(third.ids == [ids[0]] && third.hasMore == .boolean(false))
        let older = try page(["before": ids[2], "limit": "3"])
        #expect(older.ids == Array(ids[3..<6]) && older.hasMore == .boolean(true))
        let oldest = try page(["before": ids[4], "limit": "3"])
        #expect(oldest.ids == Array(ids[5...]) && oldest.hasMore == .boolean(false))
        let detail = try ask("").json["state"]?["trades"]
        #expect(detail?["rows"] != nil && detail?["hasMore"] == nil)
    }

    @Test("a price step must be one of the market's")
    func group() throws {
        for step in ["0.1", "0.2", "0.5", "1", "5", "10", "1.0"] {
            let answer = try ask("/orderbook", ["group": step])
            #expect(answer.status == 200, "\(step)")
            let shown = try #require(try answer.json["state"]?["group"]?.text)
            #expect(try FixedDecimal(parsing: shown) == FixedDecimal(parsing: step))
        }
        for part in ["", "/orderbook"] {
            for step in ["0.3", "1000", "0.05", "100"] {
                let answer = try ask(part, ["group": step])
                #expect(answer.status == 400, "\(step)")
                let problem = try answer.json
                #expect(problem["parameter"] == .string("group"))
                let steps = ["0.1", "0.2", "0.5", "1", "5", "10"]
                #expect(problem["allowed"] == .array(steps.map { .string($0) }))
            }
        }
        markets.wait(.milliseconds(100)) { sample in
            sample.trade(Self.market, at: "1500")
            sample.book(Self.market, asks: [["1501": "1"]], bids: [["1500": "1"]])
        }
        #expect(try ask("/orderbook", ["group": "100"]).status == 200)
    }

    private func ask(
        _ part: String,
        _ parameters: KeyValuePairs<String, String> = [:]
    ) throws -> HTTPAnswer {
        try markets.served.ask("/v1/markets/XRP_KRW" + part, parameters)
    }
}
