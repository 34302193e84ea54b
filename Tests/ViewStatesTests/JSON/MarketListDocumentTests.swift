import Domain
import Foundation
import ViewStates
import TestSupport
import Testing

/// The fixture is the contract's example of `market-list` version 1, as of 2026-11-20: source
/// `examples/market-list.json` beside the page on the JSON contract.
@Suite(
    "The market list document has the contract's keys and round-trips"
)
struct MarketListDocumentTests {
    private let example: OrderedJSON

    init() throws {
        example = try OrderedJSON(PackageResources.market_list_json)
    }

    @Test("the contract's example round-trips, order of keys included")
    func exampleRoundTrip() throws {
        let document = try JSONDecoder()
            .decode(MarketListDocument.self, from: Data(PackageResources.market_list_json))
        #expect(document.schema == MarketListDocument.schemaName)
        #expect(document.version == MarketListDocument.schemaVersion)
        #expect(try OrderedJSON(document.json) == example)
    }

    @Test("a random document round-trips")
    func roundTrip() throws {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 7))
        for _ in 0..<300 {
            let document = samples.document()
            let json = document.json
            #expect(try JSONDecoder().decode(MarketListDocument.self, from: Data(json)) == document)
        }
    }

    @Test("every object of a random document has exactly the example's keys in order")
    func keys() throws {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 8))
        var objectsSeen: Set<String> = []
        for _ in 0..<100 {
            let json = try OrderedJSON(samples.document().json)
            json.compareKeys(with: example, &objectsSeen)
        }
        #expect(
            objectsSeen == [
                "", ".source", ".state", ".state.health", ".state.query", ".state.rows[]",
                ".state.rows[].name", ".state.rows[].marks", ".state.rows[].marks.alerts[]",
            ]
        )
    }

    @Test("a failure has the four keys of the contract")
    func failureKeys() throws {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 9))
        var seen = 0
        for _ in 0..<50 {
            let json = try OrderedJSON(samples.document().json)
            let error = try #require(json["state"]?["health"]?["error"])
            guard error != .null else { continue }
            seen += 1
            #expect(error.keys == ["code", "message", "retryable", "nextRetryAt"])
        }
        #expect(seen > 0)
    }

    @Test("unknown values are encoded as null, not omitted")
    func unknown() throws {
        let row = MarketRowViewState(
            market: "NEW_KRW",
            symbol: "NEW",
            quote: "KRW",
            name: .init(ko: nil, en: nil),
            changePeriod: "24H",
            marks: MarksViewState(investmentWarning: nil, alerts: [], state: .trading),
            spokenText: "NEW"
        )
        var document = try JSONDecoder()
            .decode(MarketListDocument.self, from: Data(PackageResources.market_list_json))
        document.state.rows = [row]
        let json = try #require(try OrderedJSON(document.json)["state"]?["rows"]?.elements?.first)
        let unknown = [
            "rank", "price", "priceText", "priceAt", "priceKRW", "changeRatePercent",
            "changeRateText", "changeAmount", "changeAmountText", "changeAt", "priceDirection",
            "tickDirection", "tradeValue24h", "tradeValue24hKRW", "tradeValueText",
        ]
        for key in unknown { #expect(json[key] == .null, "\(key)") }
        #expect(json["name"]?["ko"] == .null && json["name"]?["en"] == .null)
        #expect(json["marks"]?["investmentWarning"] == .null)
        #expect(json["marks"]?["alerts"] == .array([]))
        #expect(json["noTrade"] == .boolean(false))
    }
}

@Suite("Problem and readiness documents have the contract's keys")
struct SmallDocumentTests {
    @Test("a problem round-trips, with or without its optional members")
    func problem() throws {
        for (parameter, allowed) in [("limit", ["1..1000"]), (nil, nil)] as [(String?, [String]?)] {
            let problem = ProblemDocument(
                type: "/problems/invalid_parameter",
                title: "A \"title\"",
                status: 400,
                detail: "a\nline",
                code: "invalid_parameter",
                parameter: parameter,
                allowed: allowed,
                retryable: false,
                requestID: "01"
            )
            #expect(
                try JSONDecoder().decode(ProblemDocument.self, from: Data(problem.json)) == problem
            )
            let optionalKeys = parameter == nil ? [] : ["parameter", "allowed"]
            let keys = ["type", "title", "status", "detail", "code"] + optionalKeys
            #expect(try OrderedJSON(problem.json).keys == keys + ["retryable", "requestId"])
        }
    }

    @Test("readiness with a shared store has the candle writer's state and lag")
    func readinessOfCandles() throws {
        let candles = ReadinessDocument.Store.Candles(
            epoch: 31,
            isLed: true,
            lag: .milliseconds(32_900),
            bufferedRows: 33,
            droppedRows: 34,
            healingLeft: 35
        )
        let document = ReadinessDocument(
            ready: true,
            feed: FeedStatus(kind: .live),
            details: DetailStatus(),
            marketCount: 0,
            store: .init(status: .ready, candles: candles)
        )
        #expect(
            try JSONDecoder().decode(ReadinessDocument.self, from: Data(document.json)) == document
        )
        let json = try #require(try OrderedJSON(document.json)["store"]?["candles"])
        #expect(
            json.keys == [
                "leader", "led", "epoch", "lagSeconds", "bufferedRows", "droppedRows",
                "healingLeft",
            ]
        )
        #expect(json["leader"] == .boolean(true))
        #expect(json["led"] == .boolean(true))
        #expect(json["epoch"] == .number("31"))
        #expect(json["lagSeconds"] == .number("32"))
        #expect(json["bufferedRows"] == .number("33"))
        #expect(json["droppedRows"] == .number("34"))
        #expect(json["healingLeft"] == .number("35"))
        let other = ReadinessDocument.Store.Candles(
            epoch: nil,
            isLed: false,
            lag: nil,
            bufferedRows: 1,
            droppedRows: 0,
            healingLeft: 0
        )
        #expect(!other.leader && !other.led)
    }

    /// A feed whose counts differ, without API 2.x.
    private static func status(_ connection: FeedStatus.Connection) -> FeedStatus {
        var status = FeedStatus(kind: .simulated)
        status.connection = connection
        status.lastDataAt = SampleBoard.start
        status.framesReceived = 11
        status.skipped.count(12, of: .listing)
        status.reconnects = 13
        let gone = FeedFailure(code: .httpStatus, detail: "ticker", isRetryable: true)
        let leave = ExchangeAPIUse.Leave(failure: gone, at: SampleBoard.start)
        status.apis = [ExchangeAPIUse(api: .v1), ExchangeAPIUse(api: .v2, leave: leave)]
        return status
    }

    @Test("readiness tells whether the store refuses changes, and where candles are read")
    func standby() throws {
        let store = ReadinessDocument.Store(
            status: .ready,
            readOnly: true,
            history: .init(
                isFromStandby: false,
                age: .milliseconds(61_900),
                failure: StoreFailure(.unavailable, "a standby")
            )
        )
        let document = ReadinessDocument(
            ready: true,
            feed: FeedStatus(kind: .live),
            details: DetailStatus(),
            marketCount: 0,
            store: store
        )
        #expect(store.isReady, "the primary is read instead")
        #expect(
            try JSONDecoder().decode(ReadinessDocument.self, from: Data(document.json)) == document
        )
        let json = try #require(try OrderedJSON(document.json)["store"])
        #expect(json["readOnly"] == .boolean(true))
        let history = try #require(json["history"])
        #expect(history["standby"] == .boolean(false))
        #expect(history["ageSeconds"] == .number("61"))
        #expect(history["failure"] == .string("unavailable"))
        #expect(history["failureDetail"] == .string("a standby"))
    }

    @Test(
        "readiness has the connection's state and the counts of feed, details and store",
        arguments: [
            (.connecting, "connecting"), (.subscribed, "subscribed"), (.live, "live"),
            (.stale, "stale"), (.ended, "ended"),
            (.reconnecting(attempt: 2, nextRetryAt: SampleBoard.start), "reconnecting"),
        ] as [(FeedStatus.Connection, String)]
    )
    func readiness(connection: FeedStatus.Connection, word: String) throws {
        var board = MarketBoard(kind: .simulated)
        let market: MarketID = "XRP_KRW"
        board.applyDetails(
            .feed(.opened(DetailInterest(market: market, facet: .book))),
            .feed(.subscribed([market])),
            at: SampleBoard.start
        )
        let document = ReadinessDocument(
            ready: true,
            feed: Self.status(connection),
            details: board.detailStatus,
            marketCount: board.details.count,
            store: .init(
                status: .failing(StoreFailure(.readOnly, "a file")),
                waitingPages: 21,
                droppedPages: 22,
                skippedRows: 23,
                newsFailure: StoreFailure(.unavailable, "a session")
            )
        )
        #expect(
            try JSONDecoder().decode(ReadinessDocument.self, from: Data(document.json)) == document
        )
        let json = try OrderedJSON(document.json)
        #expect(json.keys == ["ready", "feed", "details", "store"])
        #expect(
            json["store"]?.keys
                == [
                    "state", "failure", "failureDetail", "newsFailure", "readOnly",
                    "waitingPages", "droppedPages", "skippedRows",
                ]
        )
        #expect(json["store"]?["state"] == .string("failing"))
        #expect(json["store"]?["failure"] == .string("read_only"))
        #expect(json["store"]?["failureDetail"] == .string("a file"))
        #expect(json["store"]?["newsFailure"] == .string("unavailable"))
        let feed = try #require(json["feed"])
        #expect(
            feed.keys == [
                "kind", "connection", "api", "apis", "complete", "lastDataAt",
                "framesReceived", "entriesSkipped", "reconnects",
            ]
        )
        #expect(feed["api"] == .string("1"))
        #expect(feed["apis"]?.elements?.map { $0["used"] } == [.boolean(true), .boolean(false)])
        #expect(feed["apis"]?.elements?.last?["failure"] == .string("http_status"))
        #expect(feed["kind"] == .string("simulated"))
        #expect(feed["connection"] == .string(word))
        #expect(feed["complete"] == .boolean(false))
        #expect(feed["lastDataAt"] == .string("2026-11-20T21:03:10.000000+09:00"))
        #expect(feed["framesReceived"] == .number("11"))
        #expect(feed["entriesSkipped"] == .number("12"))
        #expect(feed["reconnects"] == .number("13"))
        let details = try #require(json["details"])
        #expect(
            details.keys == [
                "markets", "subscribed", "attempt", "framesReceived", "reconnects", "comparisons",
                "heals",
            ]
        )
        #expect(details["markets"] == .number("1"))
        #expect(details["subscribed"] == .number("1"))
        #expect(details["heals"] == .number("0"))
    }
}
