import Domain
import ViewStates
import TestSupport
import Testing

@Suite("Parameters of /v1/markets")
struct MarketListParameterTests {
    private let markets: MarketServiceFixture

    init() throws { markets = try MarketServiceFixture() }

    @Test("without parameters the contract's defaults are echoed")
    func defaults() throws {
        let query = try #require(try markets.list().json["state"]?["query"])
        #expect(query["tab"] == .string("markets"))
        #expect(query["quote"] == .string("KRW"))
        #expect(query["changePeriod"] == .string("24H"))
        #expect(query["sort"] == .string("popularity"))
        #expect(query["sortDirection"] == .string("desc"))
        #expect(query["q"] == .null)
        #expect(query["offset"] == .number("0"))
        #expect(query["limit"] == .number("1000"))
    }

    @Test(
        "every allowed value is accepted and echoed",
        arguments: [
            ("tab", "markets", "tab"), ("tab", "popular", "tab"),
            ("quote", "KRW", "quote"), ("quote", "BTC", "quote"),
            ("sort", "popularity", "sort"), ("sort", "name", "sort"), ("sort", "price", "sort"),
            ("sort", "changeRate", "sort"), ("sort", "tradeValue", "sort"),
            ("direction", "asc", "sortDirection"), ("direction", "desc", "sortDirection"),
            ("period", "24H", "changePeriod"), ("period", "MID", "changePeriod"),
            ("period", "12H", "changePeriod"), ("period", "1H", "changePeriod"),
            ("period", "30M", "changePeriod"),
            ("q", "비트", "q"), ("q", "a&b=c+d %", "q"),
            ("q", String(repeating: "ㅎ", count: 100), "q"),
        ]
    )
    func choice(parameter: String, value: String, echo: String) throws {
        let answer = try markets.list([parameter: value])
        #expect(answer.status == 200)
        #expect(try answer.json["state"]?["query"]?[echo] == .string(value))
    }

    @Test(
        "numbers within their range are accepted and echoed",
        arguments: [
            ("offset", "0"), ("offset", "7"), ("offset", "9223372036854775807"), ("limit", "1"),
            ("limit", "999"), ("limit", "1000"),
        ]
    )
    func number(parameter: String, value: String) throws {
        let answer = try markets.list([parameter: value])
        #expect(answer.status == 200)
        #expect(try answer.json["state"]?["query"]?[parameter] == .number(value))
    }

    @Test(
        "an invalid value is 400 with parameter and allowed values",
        arguments: [
            ("tab", ["favorites", "MARKETS", "", "markets,popular"], ["markets", "popular"]),
            ("quote", ["krw", "USDT", ""], ["KRW", "BTC"]),
            (
                "sort", ["volume", "changerate", ""],
                ["popularity", "name", "price", "changeRate", "tradeValue"]
            ),
            ("direction", ["up", "DESC", "descending", ""], ["asc", "desc"]),
            ("period", ["24h", "2H", "mid", ""], ["24H", "MID", "12H", "1H", "30M"]),
            ("lang", ["fr", "KO", ""], ["ko", "en"]),
            (
                "offset", ["-1", "+1", "1.5", "x", "", " 1", "１", "9223372036854775808"],
                ["0 or more"]
            ),
            ("limit", ["0", "1001", "-1", "all", "", "0x10", "1e2"], ["1..1000"]),
            ("q", [String(repeating: "x", count: 101)], ["at most 100 characters"]),
        ] as [(String, [String], [String])]
    )
    func wrongValue(parameter: String, values: [String], allowed: [String]) throws {
        for value in values {
            let answer = try markets.list([parameter: value])
            #expect(answer.status == 400, "\(value)")
            let problem = try answer.json
            #expect(problem["code"] == .string("invalid_parameter"))
            #expect(problem["parameter"] == .string(parameter))
            #expect(problem["allowed"] == .array(allowed.map { .string($0) }), "\(value)")
            #expect(problem["retryable"] == .boolean(false))
        }
    }

    @Test(
        "an unknown parameter is 400 with the known ones",
        arguments: ["page", "Tab", "", "depth"]
    )
    func unknownParameter(name: String) throws {
        let problem = try markets.list([name: "1"]).json
        #expect(problem["status"] == .number("400"))
        #expect(problem["parameter"] == .string(name))
        let allowed = [
            "tab", "quote", "sort", "direction", "period", "q", "markets", "offset", "revision",
            "limit", "lang",
        ]
        #expect(problem["allowed"] == .array(allowed.map { .string($0) }))
    }

    @Test("a repeated parameter is 400")
    func repeated() throws {
        for second in ["name", "price"] {
            let answer = try markets.list(["sort": "name", "limit": "5", "sort": second])
            #expect(answer.status == 400)
            #expect(try answer.json["parameter"] == .string("sort"))
        }
    }

    @Test("repeated request text is truncated and escaped")
    func hostileText() throws {
        let texts = [String(repeating: "x", count: 2_000), "\"}\n\u{1}\\", "\u{202e}"]
        for text in texts {
            for parameters in [[text: "1"], ["sort": text]] as [KeyValuePairs<String, String>] {
                let answer = try markets.list(parameters)
                #expect(answer.status == 400)
                let detail = try #require(try answer.json["detail"]?.text)
                #expect(detail.count < 200 && answer.body.count < 1_000)
            }
        }
    }

    @Test("each sort has a natural direction")
    func naturalDirection() throws {
        for key in MarketSortKey.allCases {
            let given = try markets.list(["sort": key.rawValue]).json["state"]?["query"]
            #expect(given?["sortDirection"] == .string(key == .name ? "asc" : "desc"))
            let reversed = try markets.list(["sort": key.rawValue, "direction": "asc"]).json
            #expect(reversed["state"]?["query"]?["sortDirection"] == .string("asc"))
        }
    }

    @Test("the popular tab has both currencies, ranked")
    func popular() throws {
        #expect(
            try rows(["tab": "popular"]) == ["BTC_KRW", "ETH_BTC", "ETH_KRW", "XRP_KRW", "NEW_KRW"]
        )
        #expect(try markets.list(["tab": "popular"]).json["state"]?["query"]?["quote"] == .null)
        #expect(try rows(["tab": "popular", "quote": "BTC"]) == ["ETH_BTC"])
    }

    @Test("sort, direction, offset, limit and search select the rows")
    func rows() throws {
        #expect(try rows(["quote": "BTC"]) == ["ETH_BTC"])
        #expect(
            try rows(["sort": "price", "direction": "asc"]) == [
                "XRP_KRW", "ETH_KRW", "BTC_KRW", "NEW_KRW",
            ]
        )
        #expect(try rows(["offset": "1", "limit": "2"]) == ["ETH_KRW", "XRP_KRW"])
        #expect(try rows(["offset": "9223372036854775807", "limit": "1000"]) == [])
        #expect(try rows(["q": "ㅂㅌㅋ"]) == ["BTC_KRW"])
        #expect(try rows(["q": "RIPPLE"]) == ["XRP_KRW"])
        #expect(try rows(["q": " "]).count == 4)
        #expect(try rows(["q": "없음"]) == [])
    }

    @Test("the language changes texts only")
    func language() throws {
        let korean = try #require(
            try markets.list(["lang": "ko"]).json["state"]?["rows"]?.elements?.first
        )
        let english = try #require(
            try markets.list(["lang": "en"]).json["state"]?["rows"]?.elements?.first
        )
        #expect(korean["tradeValueText"] == .string("98,123백만"))
        #expect(english["tradeValueText"] == .string("98,123M"))
        #expect(korean["spokenText"]?.text?.hasPrefix("비트코인, 현재가 ") == true)
        #expect(english["spokenText"]?.text?.hasPrefix("Bitcoin, price ") == true)
        for key in try #require(korean.keys) where !key.hasSuffix("Text") {
            #expect(korean[key] == english[key], "\(key)")
        }
    }

    private func rows(_ parameters: KeyValuePairs<String, String>) throws -> [String] {
        let rows = try markets.list(parameters).json["state"]?["rows"]?.elements ?? []
        return rows.compactMap { $0["market"]?.text }
    }
}

@Suite("Named markets")
struct NamedMarketsTests {
    private let markets: MarketServiceFixture

    init() throws { markets = try MarketServiceFixture() }

    @Test(
        "every spelling returns the canonical name",
        arguments: [
            "XRP_KRW", "xrp_krw", "KRW-XRP", "krw-xrp", "Xrp_Krw", "XRP_KRW,krw-xrp,xrp_krw",
        ]
    )
    func spellings(text: String) throws {
        let state = try #require(try markets.list(["markets": text]).json["state"])
        #expect(state["rows"]?.elements?.map { $0["market"] } == [.string("XRP_KRW")])
        #expect(state["missing"] == .array([]))
        #expect(state["total"] == .number("1"))
    }

    @Test("named markets may have any currency, and can be filtered by one")
    func currencies() throws {
        let both = try #require(try markets.list(["markets": "KRW-XRP,BTC-ETH"]).json["state"])
        #expect(both["query"]?["quote"] == .null)
        #expect(
            both["rows"]?.elements?.map { $0["market"] } == [
                .string("ETH_BTC"), .string("XRP_KRW"),
            ]
        )
        let one = try #require(
            try markets.list(["markets": "KRW-XRP,BTC-ETH", "quote": "BTC"]).json["state"]
        )
        #expect(one["query"]?["quote"] == .string("BTC"))
        #expect(one["rows"]?.elements?.map { $0["market"] } == [.string("ETH_BTC")])
    }

    @Test("unknown names are reported once, canonically if possible")
    func missing() throws {
        let answer = try markets.list(["markets": "none_krw,XRP_KRW,KRW-NONE,?!,?!,BTC_USDT"])
        #expect(answer.status == 200)
        let state = try #require(try answer.json["state"])
        #expect(state["missing"]?.elements?.compactMap(\.text) == ["NONE_KRW", "?!", "BTC_USDT"])
        #expect(state["rows"]?.elements?.count == 1)
    }

    @Test("only invalid names make an empty list with a reason")
    func noneOfThem() throws {
        for text in ["none_krw", "?", ",,", ""] {
            let state = try #require(try markets.list(["markets": text]).json["state"])
            #expect(state["rows"] == .array([]))
            #expect(state["emptyReason"] == .string("noMatch"))
        }
    }

    @Test("a long name is truncated")
    func longName() throws {
        let name = String(repeating: "x", count: 3_000)
        let missing = try markets.list(["markets": name]).json["state"]?["missing"]?.elements
        #expect(missing == [.string(String(repeating: "x", count: 64) + "…")])
    }
}
