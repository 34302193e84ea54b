import DataSourceContracts
import DataSourcesRemote
import Domain
import ViewStates
import TestSupport
import Testing

@testable import App

@Suite("A remote terminal follows the HTTP contract")
struct RemoteContractTests {
    @Test(
        "a token that others can read on its way causes a warning that names the remedy",
        arguments: [
            ("http://hoga.example", true), ("http://10.0.0.1:8080", true),
            ("http://localhost.example", true), ("https://hoga.example", false),
            ("http://localhost:8080", false), ("http://127.0.0.1:8080", false),
            ("http://127.1.2.3", false), ("http://[::1]:8080", false), ("http://[::2]", true),
        ]
    )
    func plainText(url: String, warns: Bool) throws {
        let warning = RemoteServer.warning(url, hasToken: true)
        #expect((warning != nil) == warns)
        #expect(warning?.hasPrefix("--server: the token goes to ") != false)
        #expect(warning?.hasSuffix("use the server's https:// address") != false)
        #expect(RemoteServer.warning(url, hasToken: false) == nil)
    }

    @Test("scrolling a chart or trades rarely changes the request")
    func steps() throws {
        let market = try #require(MarketID(name: "BTC_KRW"))
        let now = Timestamp(milliseconds: 1_795_000_000_000)
        var counts: Set<String> = []
        for minutes in stride(from: 10, through: 6_000, by: 7) {
            var query = MarketDetailQuery(market: market)
            query.interval = .minute1
            query.candles = .span(
                now.advanced(by: .seconds(-60 * minutes))..<now,
                isNewest: true
            )
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

    @Test("a chart in the past asks for candles before a block's end", arguments: [false, true])
    func past(isLong: Bool) throws {
        let market = try #require(MarketID(name: "BTC_KRW"))
        let now = Timestamp(milliseconds: 1_795_000_000_000)
        var targets: Set<String> = []
        var query = MarketDetailQuery(market: market)
        query.interval = isLong ? .week1 : .minute1
        for step in 0..<600 {
            // A screen of 120 buckets that moves into the past, one bucket a step.
            let end = query.interval.advanced(now, by: -step)
            let start = query.interval.advanced(end, by: -120)
            query.candles = .span(start..<end, isNewest: isLong && step == 0)
            let target = RemoteTarget.detail(query, now: now)
            let value = { name in target.parameters.first { $0.name == name }?.value }
            let before = try #require(TimeText.timestamp(iso8601: value("candlesBefore") ?? ""))
            let count = try #require(Int(value("count") ?? ""))
            #expect(before >= end)
            #expect(query.interval.advanced(before, by: -count) <= start)
            targets.insert("\(before) \(count)")
        }
        // Each block of 600 minutes or 100 weeks, with at most three counts.
        #expect(targets.count <= (isLong ? 7 : 2) * 3)
    }

    @Test("changes become methods, paths, conditions and bodies of the contract")
    func changes() throws {
        let market = try #require(MarketID(name: "BTC_KRW"))
        let asset = try #require(Asset(symbol: "ETH"))
        var patch = SettingsPatch()
        patch.pinFavorites = false
        patch.averages = [5, 20]
        patch.marketLayout = .all
        let rule = try AlertRule.parse(#"BTC > 5 note a"b"#, feed: .live)
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
                #"PATCH /v1/me/settings "u7-0" "#
                    + #"{"averages":[5,20],"marketLayout":"all","pinFavorites":false}"#
            ),
            (.removeHolding(asset), "DELETE /v1/me/holdings/ETH nil "),
            (.putCash("1500"), #"PUT /v1/me/cash nil {"amount":"1500"}"#),
            (.putCash(nil), "DELETE /v1/me/cash nil "),
            (.putDisplayName("나"), #"PATCH /v1/me nil {"displayName":"나"}"#),
            (.putDisplayName(nil), #"PATCH /v1/me nil {"displayName":null}"#),
            (
                .addAlert(rule, at: .noon()),
                #"POST /v1/me/alerts nil {"rule":"BTC_KRW > 5 note a\"b"}"#
            ),
            (
                .replaceAlert(9, by: rule, at: .noon(), expecting: 3),
                #"PUT /v1/me/alerts/9 "u7-3" {"rule":"BTC_KRW > 5 note a\"b"}"#
            ),
            (.removeAlert(9, expecting: nil), "DELETE /v1/me/alerts/9 * "),
            (.markAlertsSeen(through: 12), #"PATCH /v1/me/alerts/log nil {"seenThrough":"12"}"#),
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

    @Test("settings survive the round trip")
    func settings() {
        var settings = UserSettings()
        settings.sort = .changeRate
        settings.theme = .highContrast
        settings.averages = [20]
        for layout in UserSettings.MarketLayout.allCases {
            settings.marketLayout = layout
            #expect(UserSettings(SettingsViewState(settings)) == settings)
        }
        var view = SettingsViewState(settings)
        view.theme = "unknown"
        #expect(UserSettings(view) == nil)
        view = SettingsViewState(settings)
        view.marketLayout = "unknown"
        #expect(UserSettings(view) == nil)
        view = SettingsViewState(settings)
        view.averages = [1, 20, 500]
        #expect(UserSettings(view)?.averages == [20])
    }

    @Test(
        "an error answer becomes a failure with its code and wait",
        arguments: [
            (400, "invalid_parameter", .refused), (401, "unauthorized", .unauthorized),
            (403, "forbidden_scope", .forbidden), (403, "read_only", .refused),
            (404, "not_found", .missing),
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
        for language in Language.allCases { #expect(!failure.text(language).isEmpty) }
    }

    @Test(
        "an answer without a problem document is not from hoga",
        arguments: [200, 301, 404, 429, 502]
    )
    func otherServers(status: Int) {
        let failure = RemoteFailure(status: status, headers: [:], body: Array("<html>".utf8))
        switch status {
        case 429: #expect(failure.code == .rateLimited)
        case 502: #expect(failure.code == .unreachable)
        default: #expect(failure.code == .notHoga)
        }
    }
}
