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
            journal: [JournalDTO(number: 1, at: 0, kind: "cash.put", subject: nil)]
        )
        let object = try object(export)
        #expect(
            Set(object.keys) == [
                "schema", "version", "exportedAt", "user", "favorites", "settings", "holdings",
                "cash", "revisions", "tokens", "journal",
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
                journal: []
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
                journal: []
            )
        )
        #expect(object.count == 11)
        #expect(object["cash"] is NSNull)
        #expect((object["user"] as? [String: Any])?["displayName"] is NSNull)
    }
}
