import DataSourceContracts
import Domain
import Foundation
import Testing

@testable import App

@Suite("A user export has all data as JSON with nulls and zoned times")
struct UserExportDocumentTests {
    private func object(_ export: UserExportDTO) throws -> [String: Any] {
        let json = UserExportDocument(export, at: Timestamp(microseconds: 0)).json
        return try #require(
            try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
        )
    }

    @Test("every kind of data is exported")
    func full() throws {
        var personal = UserRecordDTO(name: "kim")
        personal.displayName = "김 \"x\" /\u{0}"
        personal.favorites = ["ETH_BTC", "BTC_KRW"]
        personal.holdings = [
            .init(asset: "A", quantity: "0.000000000000000001", averagePrice: nil),
            .init(asset: "B", quantity: "2", averagePrice: "3.5"),
        ]
        personal.cash = "12345678901234567890.5"
        personal.revisions.cash = 7
        let export = UserExportDTO(
            user: UserDTO(number: 3, name: "kim", addedAt: 1_000_001, isDisabled: true),
            personal: personal,
            tokens: [
                TokenDTO(
                    number: 9,
                    scope: "read",
                    madeAt: 0,
                    expiresAt: nil,
                    revokedAt: 5,
                    usedAt: nil,
                    note: "노트북"
                )
            ],
            journal: [JournalDTO(number: 1, at: 0, kind: "cash.put", subject: nil)],
            alertLog: [],
            webhook: nil
        )
        let object = try object(export)
        #expect(object["webhook"] is NSNull)
        #expect(
            Set(object.keys) == [
                "schema", "version", "exportedAt", "user", "favorites", "settings", "holdings",
                "cash", "alerts", "alertLog", "webhook", "revisions", "tokens", "journal",
            ]
        )
        #expect(object["exportedAt"] as? String == "1970-01-01T09:00:00.000000+09:00")
        let user = try #require(object["user"] as? [String: Any])
        #expect(user["displayName"] as? String == personal.displayName)
        #expect(user["addedAt"] as? String == "1970-01-01T09:00:01.000001+09:00")
        #expect(user["disabled"] as? Bool == true)
        #expect(object["favorites"] as? [String] == personal.favorites)
        #expect(object["cash"] as? String == personal.cash)
        let holdings = try #require(object["holdings"] as? [[String: Any]])
        #expect(holdings.map { $0["quantity"] as? String } == ["0.000000000000000001", "2"])
        #expect(holdings[0]["averagePrice"] is NSNull)
        #expect(object["settings"] is NSNull)
        let token = try #require((object["tokens"] as? [[String: Any]])?.first)
        #expect(
            Set(token.keys) == [
                "number", "scope", "madeAt", "expiresAt", "revokedAt", "usedAt", "note",
            ]
        )
        #expect(token["note"] as? String == "노트북")
        #expect(token["expiresAt"] is NSNull)
        let row = try #require((object["journal"] as? [[String: Any]])?.first)
        #expect(row["kind"] as? String == "cash.put" && row["subject"] is NSNull)
        #expect((object["revisions"] as? [String: Int])?["cash"] == 7)
    }

    private static var webhook: WebhookDTO {
        var webhook = WebhookDTO(url: "https://example.com/hoga", createdAt: 1)
        webhook.deadLetters = [.init(number: 8, attempts: 3, failedAt: 2, failure: "status 500")]
        return webhook
    }

    @Test("alert rules, all alerts and the webhook are exported, without its secret")
    func alerts() throws {
        var personal = UserRecordDTO(name: "kim")
        personal.alertRules = [
            AlertRuleDTO(
                number: 4,
                text: "BTC_KRW > 5 note \"x\"",
                feed: "live",
                books: nil,
                createdAt: 1
            )
        ]
        personal.alertsSeen = 8
        personal.revisions.alerts = 9
        let export = UserExportDTO(
            user: UserDTO(number: 3, name: "kim", addedAt: 0, isDisabled: false),
            personal: personal,
            tokens: [],
            journal: [],
            alertLog: [8, 9].map { number in
                AlertLogDTO(
                    number: number,
                    alert: AlertDTO(
                        rule: 4,
                        market: number == 8 ? "BTC_KRW" : nil,
                        at: number,
                        value: "5.5",
                        isRise: number == 8,
                        lateness: number == 8 ? nil : "away"
                    ),
                    text: "BTC_KRW > 5",
                    feed: "live",
                    storedAt: 0
                )
            },
            webhook: Self.webhook
        )
        let object = try object(export)
        let webhook = try #require(object["webhook"] as? [String: Any])
        #expect(
            Set(webhook.keys) == [
                "url", "createdAt", "lastSuccessAt", "failedAt", "failure", "pending", "dropped",
                "deadLetters",
            ]
        )
        #expect(webhook["url"] as? String == "https://example.com/hoga")
        #expect(webhook["lastSuccessAt"] is NSNull)
        #expect(webhook["deadLetters"] as? [Int] == [8])
        #expect((object["revisions"] as? [String: Int])?["alerts"] == 9)
        let rule = try #require((object["alerts"] as? [[String: Any]])?.first)
        #expect(Set(rule.keys) == ["number", "rule", "feed", "createdAt", "firedAt"])
        #expect(rule["rule"] as? String == "BTC_KRW > 5 note \"x\"")
        #expect(rule["createdAt"] as? String == "1970-01-01T09:00:00.000001+09:00")
        #expect(rule["firedAt"] is NSNull)
        let log = try #require(object["alertLog"] as? [[String: Any]])
        #expect(log.map { $0["number"] as? Int } == [8, 9])
        #expect(log.map { $0["alert"] as? Int } == [4, 4])
        #expect(log.map { $0["market"] as? String } == ["BTC_KRW", nil])
        #expect(log.map { $0["value"] as? String } == ["5.5", "5.5"])
        #expect(log.map { $0["direction"] as? String } == ["up", "down"])
        #expect(log.map { $0["late"] as? String } == [nil, "away"])
        #expect(log.map { $0["seen"] as? Bool } == [true, false])
        #expect(log[1]["at"] as? String == "1970-01-01T09:00:00.000009+09:00")
    }

    @Test("a market's layout is exported unless it shows all panes", arguments: [nil, "chart"])
    func layout(_ name: String?) throws {
        var personal = UserRecordDTO(name: "a")
        personal.settings = SettingsDTO(
            sort: "popularity",
            sortDirection: "desc",
            quote: "KRW",
            tab: "markets",
            pinFavorites: true,
            changePeriod: "24H",
            interval: "24h",
            chartStyle: "candles",
            averages: "5,10",
            depth: 15,
            theme: "auto",
            colors: "korean",
            lang: "ko",
            marketLayout: name
        )
        let object = try object(
            UserExportDTO(
                user: UserDTO(number: 1, name: "a", addedAt: 0, isDisabled: false),
                personal: personal,
                tokens: [],
                journal: [],
                alertLog: [],
                webhook: nil
            )
        )
        let settings = try #require(object["settings"] as? [String: Any])
        #expect(settings.count == (name == nil ? 13 : 14))
        #expect(settings["marketLayout"] as? String == name)
    }

    @Test("an empty user has every key")
    func empty() throws {
        let object = try object(
            UserExportDTO(
                user: UserDTO(number: 1, name: "a", addedAt: 0, isDisabled: false),
                personal: UserRecordDTO(name: "a"),
                tokens: [],
                journal: [],
                alertLog: [],
                webhook: nil
            )
        )
        #expect(object.count == 14)
        #expect(object["cash"] is NSNull)
        #expect((object["user"] as? [String: Any])?["displayName"] is NSNull)
    }
}
