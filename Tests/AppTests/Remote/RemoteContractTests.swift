import DataSourceContracts
import Domain
import ViewStates
import TestSupport
import Testing

@testable import App

@Suite("What a remote terminal asks, sends and is told, in the words of the contract")
struct RemoteContractTests {
    @Test("Texts in addresses are escaped, Korean too")
    func escaping() {
        let target = RemoteTarget(
            path: "/v1/markets",
            parameters: [RemoteParameter("q", "비 b&c=d/?#%"), RemoteParameter("markets", "A,B")]
        )
        #expect(
            target.text
                == "/v1/markets?q=%EB%B9%84%20b%26c%3Dd%2F%3F%23%25&markets=A,B"
        )
        #expect(RemoteTarget(path: "/v1/me").text == "/v1/me")
    }

    @Test("Scrolling a chart or trades asks for little that is new")
    func steps() throws {
        let market = try #require(MarketID(name: "BTC_KRW"))
        let now = Timestamp(milliseconds: 1_795_000_000_000)
        var counts: Set<String> = []
        for minutes in stride(from: 10, through: 6_000, by: 7) {
            var query = MarketDetailQuery(market: market)
            query.interval = .minute1
            query.candles = .span(now.advanced(by: .seconds(-60 * minutes))..<now)
            query.tradeLimit = minutes % 300 + 1
            let target = RemoteTarget.detail(query, now: now)
            let count = target.parameters.first { $0.name == "count" }?.value ?? ""
            #expect(try #require(Int(count)) >= min(minutes, MarketDetailQuery.candlesMax))
            counts.insert(count)
            let limit = target.parameters.first { $0.name == "limit" }?.value ?? ""
            #expect(["1", "100", "200"].contains(limit))
        }
        #expect(counts == ["200", "400", "800", "1600", "3000"])
    }

    @Test("Changes are the contract's methods, addresses, conditions and bodies")
    func changes() throws {
        let market = try #require(MarketID(name: "BTC_KRW"))
        let asset = try #require(Asset(symbol: "ETH"))
        var patch = SettingsPatch()
        patch.pinFavorites = false
        patch.averages = [5, 20]
        let cases: [(UserChange, String)] = [
            (.addFavorite(market), "PUT /v1/me/favorites/BTC_KRW nil "),
            (.removeFavorite(market), "DELETE /v1/me/favorites/BTC_KRW nil "),
            (
                .replaceFavorites([market], expecting: 3),
                #"PUT /v1/me/favorites "u7-3" {"rows":["BTC_KRW"]}"#
            ),
            (.replaceFavorites([], expecting: nil), #"PUT /v1/me/favorites * {"rows":[]}"#),
            (
                .changeSettings(patch, expecting: 0),
                #"PATCH /v1/me/settings "u7-0" {"averages":[5,20],"pinFavorites":false}"#
            ),
            (.removeHolding(asset), "DELETE /v1/me/holdings/ETH nil "),
            (.putCash("1500"), #"PUT /v1/me/cash nil {"amount":"1500"}"#),
            (.putDisplayName("나"), #"PATCH /v1/me nil {"displayName":"나"}"#),
            (.putDisplayName(nil), #"PATCH /v1/me nil {"displayName":null}"#),
        ]
        for (change, words) in cases {
            let sent = try UserChangeRequest(change, user: 7)
            let condition = sent.condition ?? "nil"
            #expect("\(sent.method.rawValue) \(sent.path) \(condition) \(sent.body)" == words)
        }
        let holding = Holding(asset: asset, quantity: "2", averagePrice: nil)
        let body = try UserChangeRequest(.putHolding(holding), user: 7).body
        #expect(body.contains(#""averagePrice":null"#) && body.contains(#""quantity":"2""#))
        #expect(throws: RemoteFailure.self) {
            try UserChangeRequest(.moveFavorite(market, to: 1), user: 7)
        }
    }

    @Test("Settings come back as they were sent")
    func settings() {
        var settings = UserSettings()
        settings.sort = .changeRate
        settings.theme = .highContrast
        settings.averages = [20]
        #expect(UserSettings(SettingsViewState(settings)) == settings)
        var view = SettingsViewState(settings)
        view.theme = "of tomorrow"
        #expect(UserSettings(view) == nil)
    }

    @Test(
        "An answer that is none of what was asked for says what to do",
        arguments: [
            (400, "invalid_parameter", .refused), (401, "unauthorized", .unauthorized),
            (403, "forbidden_scope", .forbidden), (404, "not_found", .missing),
            (412, "precondition_failed", .changed), (429, "rate_limited", .rateLimited),
            (500, "internal", .failed), (503, "store_unavailable", .storeAway),
        ] as [(Int, String, RemoteFailure.Code)]
    )
    func problems(status: Int, code: String, expected: RemoteFailure.Code) {
        let body = """
            {"type":"/problems/x","title":"t","status":\(status),"detail":"why","code":"\(code)",
            "retryable":false,"requestId":"r"}
            """
        let failure = RemoteFailure(
            status: status,
            headers: ["retry-after": "7"],
            body: Array(body.utf8)
        )
        #expect(failure == RemoteFailure(expected, "why", retryAfter: .seconds(7)))
        for language in Language.allCases { #expect(!failure.words(language).isEmpty) }
    }

    @Test("What is no hoga is not taken for one", arguments: [200, 301, 404, 429, 502])
    func strangers(status: Int) {
        let failure = RemoteFailure(status: status, headers: [:], body: Array("<html>".utf8))
        switch status {
        case 429: #expect(failure.code == .rateLimited)
        case 502: #expect(failure.code == .unreachable)
        default: #expect(failure.code == .notHoga)
        }
    }

    @Test("The service's clock counts where the local one is wrong, and small differences do not")
    func clocks() {
        let offset = RemoteClockOffset()
        let text = "Sun, 06 Nov 1994 08:49:37 GMT"
        let time = Timestamp(milliseconds: 784_111_777_000)
        #expect(RemoteClockOffset.timestamp(text) == time)
        for odd in ["", "Sun, 06 Nov 1994 08:49:37 CET", "1994-11-06"] {
            #expect(RemoteClockOffset.timestamp(odd) == nil)
        }
        offset.take(text, at: time.advanced(by: .seconds(2)))
        #expect(offset.time(at: time) == time)
        offset.take(text, at: time.advanced(by: .seconds(-90)))
        #expect(offset.time(at: time) == time.advanced(by: .seconds(90)))
        offset.take("odd", at: time)
        #expect(offset.time(at: time) == time.advanced(by: .seconds(90)))
        offset.take(text, at: time)
        #expect(offset.time(at: time) == time)
    }
}
