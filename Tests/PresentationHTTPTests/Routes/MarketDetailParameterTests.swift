import Domain
import UseCases
import ViewStates
import TestSupport
import Testing

@Suite("Parameters of market details")
struct MarketDetailParameterTests {
    private static let market: MarketID = "XRP_KRW"

    @Test("absent parameters have the contract's defaults")
    func defaults() throws {
        let standard = MarketDetailQuery(market: Self.market)
        #expect(standard.depth == 10 && standard.tradeLimit == 100)
        #expect(standard.candles == .newest(count: 200, before: nil))
        for document in ["market-detail", "order-book", "trades", "candles"] {
            #expect(try Self.query(document, []) == standard, "\(document)")
        }
    }

    @Test(
        "every allowed value is accepted",
        arguments: [
            ("market-detail", "period", ["24H", "MID", "12H", "1H", "30M"]),
            ("market-detail", "depth", ["1", "10", "30"]),
            ("market-detail", "group", ["1", "0.1", "1000", "0.00000001"]),
            (
                "market-detail", "interval",
                ["1m", "3m", "5m", "10m", "30m", "1h", "6h", "12h", "24h", "1w", "1mo"]
            ),
            ("market-detail", "count", ["1", "200", "3000"]),
            ("market-detail", "limit", ["1", "100", "200"]),
            ("market-detail", "candlesBefore", ["2026-11-20T21:00:00.000000+09:00"]),
            ("market-detail", "averages", ["none", "5,20"]),
            ("market-detail", "lang", ["ko", "en"]),
            ("order-book", "depth", ["1", "30"]), ("order-book", "group", ["500"]),
            ("order-book", "lang", ["en"]),
            ("trades", "limit", ["1", "200"]), ("trades", "since", ["1795176191151220.0"]),
            ("trades", "before", ["0.17", "1795176191151220.0"]), ("trades", "lang", ["en"]),
            ("candles", "interval", ["1m", "1mo"]), ("candles", "count", ["1", "3000"]),
            ("candles", "before", ["2026-11-20T21:00:00.000000+09:00"]),
            ("candles", "at", ["2026-11-20T12:00:00Z"]), ("candles", "lang", ["en"]),
            ("candles", "averages", ["none", "5", "5,20", "120", "5,10,20,60,120"]),
        ]
    )
    func taken(document: String, parameter: String, values: [String]) throws {
        var seen: Set<MarketDetailQuery> = []
        for value in values {
            seen.insert(try Self.query(document, [(parameter, value)]))
        }
        // Each value means something else.
        #expect(seen.count == values.count)
    }

    @Test("values set their fields")
    func meaning() throws {
        var expected = MarketDetailQuery(market: Self.market)
        expected.period = .hour1
        expected.depth = 3
        expected.group = "0.5"
        expected.interval = .week1
        expected.candles = .newest(count: 7, before: nil)
        expected.averageWindows = [5, 20]
        expected.tradeLimit = 9
        expected.language = .english
        let parameters = [
            ("period", "1H"), ("depth", "3"), ("group", "0.50"), ("interval", "1w"),
            ("count", "7"), ("averages", "20,5,20"), ("limit", "9"), ("lang", "en"),
        ]
        #expect(try Self.query("market-detail", parameters) == expected)
        #expect(try Self.query("candles", [("averages", "none")]).averageWindows == [])
        let nine = SeoulTime.timestamp(year: 2_026, month: 11, day: 20, hour: 21)
        let before = try Self.query(
            "candles",
            [("before", "2026-11-20T21:00:00+09:00"), ("count", "5")]
        )
        #expect(before.candles == .newest(count: 5, before: nine))
        let past = try Self.query("market-detail", [("candlesBefore", "2026-11-20T12:00:00Z")])
        #expect(past.candles == .newest(count: 200, before: nine))
        let at = try Self.query("candles", [("at", "2026-11-20T12:00:00Z")])
        #expect(at.candles == .at(nine))
        let since = try Self.query("trades", [("since", "1795176191151220.1")])
        let id = TradeID(at: Timestamp(microseconds: 1_795_176_191_151_220), sequence: 1)
        #expect(since.trades == .since(id))
    }

    @Test(
        "an invalid value is 400 with parameter and allowed values",
        arguments: [
            ("", "period", ["24h", "2H", ""], "24H, MID, 12H, 1H, 30M"),
            ("", "depth", ["0", "31", "-1", "x", "", "1.5", "+1"], "1..30"),
            ("/orderbook", "depth", ["0", "31"], "1..30"),
            ("", "count", ["0", "3001", "all"], "1..3000"),
            ("/candles", "count", ["0", "3001", ""], "1..3000"),
            (
                "/candles", "averages", ["7", "5,", "", "none,5", "5 20", "05", "all"],
                "none, 5, 10, 20, 60, 120"
            ),
            ("", "limit", ["0", "201"], "1..200"),
            ("/trades", "limit", ["0", "201", "1e2"], "1..200"),
            (
                "/candles", "interval", ["1d", "1M", "24H", "2h", ""],
                "1m, 3m, 5m, 10m, 30m, 1h, 6h, 12h, 24h, 1w, 1mo"
            ),
            ("", "lang", ["fr", "KO", ""], "ko, en"),
            (
                "/orderbook", "group",
                [
                    "0", "0.0", "-1", "+1", "x", "", "NaN", "1,000", "1e3", "1.", ".5", "1.5.0",
                    "1234567890123", "0.123456789", "１",
                ],
                "a price step of the market, e.g. 1000"
            ),
            (
                "/trades", "since", ["x", "", "1", "1.", ".1", "1.-1", "1.0.0"],
                "a trade id, e.g. 1795176191151220.0"
            ),
            (
                "/trades", "before", ["2026-11-20T21:00:00+09:00", "9223372036854775808.0"],
                "a trade id, e.g. 1795176191151220.0"
            ),
            (
                "/candles", "before", ["1795176191151", "2026-11-20", "2026-11-20T21:00:00", ""],
                "a time with an offset, e.g. 2026-11-20T21:00:00+09:00"
            ),
            (
                "", "candlesBefore", ["1795176191151", "2026-11-20"],
                "a time with an offset, e.g. 2026-11-20T21:00:00+09:00"
            ),
            (
                "/candles", "at", ["now", "2026-13-01T00:00:00Z", "2026-11-20T25:00:00Z"],
                "a time with an offset, e.g. 2026-11-20T21:00:00+09:00"
            ),
        ]
    )
    func wrongValue(
        part: String,
        parameter: String,
        values: [String],
        allowed: String
    ) throws {
        let markets = try MarketServiceFixture()
        for value in values {
            let answer = try markets.served.ask("/v1/markets/XRP_KRW" + part, [parameter: value])
            #expect(answer.status == 400, "\(value)")
            let problem = try answer.json
            #expect(problem["code"] == .string("invalid_parameter"))
            #expect(problem["parameter"] == .string(parameter))
            let words = problem["allowed"]?.elements?.compactMap(\.text)
            #expect(words?.joined(separator: ", ") == allowed, "\(value)")
        }
        // An invalid request registers no interest.
        #expect(markets.interests.wanted.isEmpty)
    }

    @Test(
        "an unknown parameter is 400 with the known ones",
        arguments: [
            ("", "period, depth, group, interval, count, candlesBefore, averages, limit, lang"),
            ("/orderbook", "depth, group, lang"), ("/trades", "limit, since, before, lang"),
            ("/candles", "interval, count, before, at, averages, lang"),
        ]
    )
    func unknownParameter(part: String, allowed: String) throws {
        let markets = try MarketServiceFixture()
        for name in ["page", "market", "Depth", "", "market-list.limit"] {
            let problem = try markets.served.ask("/v1/markets/XRP_KRW" + part, [name: "1"]).json
            #expect(problem["status"] == .number("400"))
            #expect(problem["parameter"] == .string(name))
            let words = problem["allowed"]?.elements?.compactMap(\.text)
            #expect(words?.joined(separator: ", ") == allowed)
        }
    }

    @Test(
        "contradictory values are 400",
        arguments: [
            (
                "trades", [("since", "1.0"), ("before", "2.0")],
                "before: cannot be combined with since"
            ),
            (
                "candles", [("at", "2026-11-20T12:00:00Z"), ("count", "2")],
                "at: selects one candle"
            ),
            (
                "candles", [("at", "2026-11-20T12:00:00Z"), ("before", "2026-11-20T12:00:00Z")],
                "at: selects one candle"
            ),
        ] as [(String, [(String, String)], String)]
    )
    func contradiction(
        document: String,
        parameters: [(String, String)],
        description: String
    ) {
        let error = #expect(throws: ParameterErrorText.self) {
            try Self.query(document, parameters)
        }
        #expect(error?.text.hasPrefix(description) == true)
    }

    private static func query(
        _ document: String,
        _ parameters: [(String, String)]
    ) throws(ParameterErrorText) -> MarketDetailQuery {
        try NamedDocument.query(document, [("market", "xrp_krw")] + parameters).detail
            ?? MarketDetailQuery(market: "NONE_KRW")
    }
}
