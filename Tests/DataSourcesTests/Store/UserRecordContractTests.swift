import DataSourceContracts
import TestSupport
import Testing

@Suite("User records of every store")
struct UserRecordContractTests {
    private static let firedRule = AlertRuleDTO(
        number: 7,
        text: "portfolio > 10000000",
        feed: "live",
        books: nil,
        createdAt: 1,
        firedAt: 1_795_176_191_151_221
    )

    @Test("a new store has one user with an empty record", arguments: StoreSubject.allCases)
    func empty(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            #expect(try await store.record(of: 1) == UserRecordDTO(name: "local"))
            #expect(try await store.changeCount(of: 1) == 0)
            #expect(try await store.journal(user: 1, newest: 10) == [])
        }
    }

    @Test("an unknown user is an error, not an empty record", arguments: StoreSubject.allCases)
    func unknownUser(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            let read = await StoreSubject.code { () throws(StoreError) in
                try await store.record(of: 7)
            }
            #expect(read == .unavailable)
            let written = await StoreSubject.code { () throws(StoreError) in
                try await store.write(.putCash("5"), user: 7, at: 1)
            }
            #expect(written == .unavailable)
            #expect(try await store.changeCount(of: 1) == 0)
        }
    }

    @Test("every column is read as it was written", arguments: StoreSubject.allCases)
    func everyColumn(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            var expected = UserRecordDTO(name: "local")
            expected.displayName = "김호가"
            expected.favorites = ["XRP_KRW", "BTC_KRW", "ETH_BTC"]
            expected.settings = UserRecordSamples.settings
            expected.holdings = [
                .init(asset: "ADA", quantity: "12.5", averagePrice: nil),
                .init(asset: "BTC", quantity: "0.00000001", averagePrice: "91000000.25"),
            ]
            expected.cash = "1234567.89"
            expected.alertRules = [UserRecordSamples.rule, Self.firedRule]
            expected.alertsSeen = 3
            expected.revisions.profile = 1
            expected.revisions.favorites = 3
            expected.revisions.settings = 1
            expected.revisions.holdings = 2
            expected.revisions.cash = 1
            expected.revisions.alerts = 3
            let writes: [TestChange] = [
                .putDisplayName("김호가"), .addFavorite("XRP_KRW", limit: 9),
                .addFavorite("BTC_KRW", limit: 9), .addFavorite("ETH_BTC", limit: 9),
                .putSettings(UserRecordSamples.settings, expecting: 0),
                .putHolding(expected.holdings[1], limit: 9),
                .putHolding(expected.holdings[0], limit: 9), .putCash("1234567.89"),
                .putAlertRule(Self.firedRule), .putAlertRule(UserRecordSamples.rule), .seeAlerts(3),
            ]
            var answer = UserRecordDTO(name: "")
            for write in writes { answer = try await store.write(write, user: 1, at: 3) }
            #expect(answer == expected)
            #expect(try await store.record(of: 1) == expected)
            #expect(try await store.changeCount(of: 1) == 11)
        }
    }

    @Test("a text is stored byte for byte", arguments: StoreSubject.allCases)
    func texts(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            let large = String(repeating: "가\0", count: 1 << 18)
            // First, because every answer contains the name.
            for text in [large] + difficultTexts {
                let answer = try await store.write(.putDisplayName(text), user: 1, at: 1)
                #expect(Array(answer.displayName!.utf8) == Array(text.utf8))
            }
            let texts = difficultTexts
            let answer = try await store.write(
                .replaceFavorites(texts, expecting: nil),
                user: 1,
                at: 1
            )
            #expect(bytes(of: answer.favorites) == bytes(of: texts))
            for text in texts {
                _ = try await store.write(
                    .putHolding(
                        .init(asset: text, quantity: "1", averagePrice: nil),
                        limit: texts.count
                    ),
                    user: 1,
                    at: 1
                )
                let row = try await store.journal(user: 1, newest: 1)
                #expect(bytes(of: row.map(\.subject)) == bytes(of: [text as String?]))
            }
            let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let assets = try await store.record(of: 1).holdings.map(\.asset)
            #expect(bytes(of: assets) == bytes(of: sorted))
        }
    }

    @Test("every column of the settings stores any text", arguments: StoreSubject.allCases)
    func settingsTexts(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            let columns: [WritableKeyPath<SettingsDTO, String>] = [
                \.sort, \.sortDirection, \.quote, \.tab, \.changePeriod, \.interval, \.chartStyle,
                \.averages, \.theme, \.colors, \.lang,
            ]
            for (index, column) in columns.enumerated() {
                var settings = UserRecordSamples.settings
                settings[keyPath: column] = difficultTexts[index]
                settings.depth = -index
                let answer = try await store.write(
                    .putSettings(settings, expecting: nil),
                    user: 1,
                    at: 1
                )
                #expect(bytes(of: answer.settings) == bytes(of: settings as SettingsDTO?))
            }
        }
    }

    @Test("a market's layout is stored, changed and cleared", arguments: StoreSubject.allCases)
    func marketLayout(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            var settings = UserRecordSamples.settings
            let short = difficultTexts.filter { $0.utf8.count <= 20 }
            let layouts = [nil, "chart", "chart-book", nil] + short.map(Optional.some) + [nil]
            for (index, layout) in layouts.enumerated() {
                settings.marketLayout = layout
                for _ in 0..<2 {
                    let change = TestChange.putSettings(settings, expecting: nil)
                    let answer = try await store.write(change, user: 1, at: 1)
                    #expect(bytes(of: answer.settings) == bytes(of: settings as SettingsDTO?))
                    #expect(answer.revisions.settings == Int64(index + 1))
                }
                let read = try await store.record(of: 1).settings
                #expect(bytes(of: read) == bytes(of: settings as SettingsDTO?))
            }
            let kinds = try await store.journal(user: 1, newest: 99).map(\.kind)
            #expect(kinds == layouts.map { _ in "settings.put" })
        }
    }

    @Test("an alert rule is added, replaced and removed", arguments: StoreSubject.allCases)
    func alertRules(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            for text in difficultTexts.filter({ (1...100).contains($0.utf8.count) }) {
                var rule = UserRecordSamples.rule
                rule.text = text
                rule.feed = String(text.prefix(8))
                rule.books = rule.feed
                let answer = try await store.write(.putAlertRule(rule), user: 1, at: 1)
                #expect(bytes(of: answer.alertRules) == bytes(of: [rule]))
                let read = try await store.record(of: 1)
                #expect(bytes(of: read) == bytes(of: answer))
            }
            let before = try await store.write(
                .putAlertRule(UserRecordSamples.rule),
                user: 1,
                at: 1
            )
            let same = try await store.write(.putAlertRule(UserRecordSamples.rule), user: 1, at: 1)
            #expect(same == before)
            let after = try await store.write(.removeAlertRule(2), user: 1, at: 1)
            #expect(after.alertRules == [])
            #expect(after.revisions.alerts == before.revisions.alerts + 1)
            #expect(try await store.write(.removeAlertRule(2), user: 1, at: 1) == after)
            #expect(try await store.record(of: 1) == after)
        }
    }

    @Test("a change without effect increments no revision", arguments: StoreSubject.allCases)
    func nothingChanged(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            let first: [TestChange] = [
                .replaceFavorites(["A_KRW", "B_KRW"], expecting: nil),
                .putSettings(UserRecordSamples.settings, expecting: nil),
                .putHolding(.init(asset: "A", quantity: "2", averagePrice: nil), limit: 1),
                .putCash("7"), .putDisplayName("e\u{301}"), .putAlertRule(UserRecordSamples.rule),
                .seeAlerts(5),
            ]
            for write in first { _ = try await store.write(write, user: 1, at: 1) }
            let before = try await store.record(of: 1)
            let again: [TestChange] =
                first + [
                    .addFavorite("B_KRW", limit: 1), .removeFavorite("C_KRW"),
                    .moveFavorite("C_KRW", to: 0), .moveFavorite("A_KRW", to: 0),
                    .moveFavorite("A_KRW", to: -5), .moveFavorite("B_KRW", to: 99),
                    .removeHolding("B"), .removeAlertRule(9),
                ]
            for write in again {
                #expect(try await store.write(write, user: 1, at: 2) == before, "\(write)")
            }
            #expect(try await store.changeCount(of: 1) == 7)
            let times = try await store.journal(user: 1, newest: 99).map(\.at)
            #expect(times == [1, 1, 1, 1, 1, 1, 1])

            // Another Unicode spelling of a letter is another text.
            let other = try await store.write(.putDisplayName("\u{e9}"), user: 1, at: 3)
            #expect(other.revisions.profile == before.revisions.profile + 1)
            #expect(bytes(of: other.displayName) == bytes(of: "\u{e9}" as String?))
            _ = try await store.write(.putDisplayName(nil), user: 1, at: 4)
            #expect(try await store.record(of: 1).displayName == nil)
        }
    }

    @Test(
        "a change that fails changes nothing",
        arguments: StoreSubject.allCases
    )
    func conflict(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            _ = try await store.write(.replaceFavorites(["A_KRW"], expecting: 0), user: 1, at: 1)
            _ = try await store.write(
                .putSettings(UserRecordSamples.settings, expecting: 0),
                user: 1,
                at: 1
            )
            let before = try await store.record(of: 1)
            for stale: Int64 in [0, 2, -1, .max, .min] {
                // Also a change without effect: its writer has read another revision.
                for write in [
                    TestChange.replaceFavorites(["A_KRW"], expecting: stale),
                    .replaceFavorites(["B_KRW"], expecting: stale),
                    .putSettings(UserRecordSamples.settings, expecting: stale),
                ] {
                    let code = await StoreSubject.code { () throws(StoreError) in
                        try await store.write(write, user: 1, at: 2)
                    }
                    #expect(code == .conflict, "\(write)")
                }
            }
            #expect(try await store.record(of: 1) == before)
            let after = try await store.write(.replaceFavorites([], expecting: 1), user: 1, at: 2)
            #expect(after.favorites == [])
            #expect(after.revisions.favorites == 2)
        }
    }

    @Test("a full list refuses new rows and accepts changed ones", arguments: StoreSubject.allCases)
    func bounds(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            for market in ["A_KRW", "B_KRW"] {
                _ = try await store.write(.addFavorite(market, limit: 2), user: 1, at: 1)
                let asset = String(market.prefix(1))
                _ = try await store.write(
                    .putHolding(.init(asset: asset, quantity: "1", averagePrice: nil), limit: 2),
                    user: 1,
                    at: 1
                )
            }
            let before = try await store.record(of: 1)
            for write in [
                TestChange.addFavorite("C_KRW", limit: 2),
                .putHolding(.init(asset: "C", quantity: "1", averagePrice: nil), limit: 2),
            ] {
                let code = await StoreSubject.code { () throws(StoreError) in
                    try await store.write(write, user: 1, at: 2)
                }
                #expect(code == .tooMany, "\(write)")
            }
            #expect(try await store.record(of: 1) == before)
            let corrected = UserRecordDTO.Holding(asset: "B", quantity: "3", averagePrice: "4")
            let after = try await store.write(.putHolding(corrected, limit: 2), user: 1, at: 3)
            #expect(after.holdings.last == corrected)
        }
    }

    @Test(
        "a favorite moves to its new index",
        arguments: StoreSubject.allCases,
        [
            ("A", 2, "BCADE"), ("E", 0, "EABCD"), ("A", 99, "BCDEA"), ("C", -3, "CABDE"),
            ("B", 1, "ABCDE"), ("D", 4, "ABCED"), ("X", 0, "ABCDE"),
        ]
    )
    func move(subject: StoreSubject, example: (String, Int, String)) async throws {
        let (market, place, expected) = example
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            let markets = "ABCDE".map { String($0) }
            let write = TestChange.replaceFavorites(markets, expecting: nil)
            _ = try await store.write(write, user: 1, at: 1)
            let answer = try await store.write(.moveFavorite(market, to: place), user: 1, at: 2)
            #expect(answer.favorites.joined() == expected)
            let added = try await store.write(.addFavorite("F", limit: 9), user: 1, at: 3)
            #expect(added.favorites.joined() == expected + "F")
        }
    }

    @Test("the journal names each kind of change and its subject", arguments: StoreSubject.allCases)
    func journal(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            let writes: [(TestChange, String, String?)] = [
                (.addFavorite("A_KRW", limit: 9), "favorite.add", "A_KRW"),
                (.replaceFavorites(["A_KRW", "B_KRW"], expecting: nil), "favorite.replace", nil),
                (.moveFavorite("B_KRW", to: 0), "favorite.move", "B_KRW"),
                (.removeFavorite("A_KRW"), "favorite.remove", "A_KRW"),
                (.putSettings(UserRecordSamples.settings, expecting: nil), "settings.put", nil),
                (
                    .putHolding(.init(asset: "A", quantity: "1", averagePrice: nil), limit: 9),
                    "holding.put", "A"
                ),
                (.removeHolding("A"), "holding.remove", "A"), (.putCash("5"), "cash.put", nil),
                (.putCash(nil), "cash.remove", nil),
                (.putDisplayName("x"), "profile.put", nil),
                (.putAlertRule(UserRecordSamples.rule), "alert.replace", "2"),
                (.seeAlerts(1), "alert.see", nil), (.removeAlertRule(2), "alert.remove", "2"),
            ]
            for (index, (write, _, _)) in writes.enumerated() {
                _ = try await store.write(write, user: 1, at: Int64(100 - index))
            }
            let rows = try await store.journal(user: 1, newest: 99)
            #expect(rows.map(\.kind) == writes.map(\.1).reversed())
            #expect(rows.map(\.subject) == writes.map(\.2).reversed())
            #expect(rows.map(\.at) == (88...100).map { Int64($0) })
            #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.number > $1.number })
            #expect(try await store.journal(user: 1, newest: 2) == Array(rows.prefix(2)))
            #expect(try await store.journal(user: 1, newest: 0) == [])
            #expect(try await store.journal(user: 1, newest: -1) == [])
        }
    }

    @Test(
        "the journal keeps the newest 10,000 rows, 15 more for a while",
        arguments: StoreSubject.allCases
    )
    func journalBound(subject: StoreSubject) async throws {
        try await StoreStand.with(subject) { stand async throws in
            let store = stand.store
            try await stand.fillJournal(upTo: 9_998)
            for time in 9_999...10_016 as ClosedRange<Int64> {
                _ = try await store.write(.putCash("\(time)"), user: 1, at: time)
            }
            let rows = try await store.journal(user: 1, newest: 20_000)
            // PostgreSQL prunes at each sixteenth change, SQLite at each.
            #expect(rows.map(\.at) == (17...10_016).reversed())
        }
    }
}
