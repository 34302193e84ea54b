import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite(
    "User records round-trip despite concurrent writers",
    .tags(.threads)
)
struct StoredUserRepositoryTests {
    private let store = InMemoryStore()
    private var repository: StoredUserRepository {
        StoredUserRepository(store: store, now: { .noon() })
    }

    private func perform(_ changes: UserChange...) async throws -> UserRecord {
        var record = try await repository.record(of: .local)
        for change in changes { record = try await repository.perform(change, of: .local) }
        return record
    }

    private static let btc = Asset(of: "BTC_KRW")

    @Test("every part is read as it was written and is in the journal")
    func roundTrip() async throws {
        var patch = SettingsPatch()
        patch.depth = 7
        patch.averages = []
        patch.interval = .month1
        let holding = Holding(asset: Self.btc, quantity: "0.1", averagePrice: "123456.7")
        let record = try await perform(
            .addFavorite("BTC_KRW"),
            .addFavorite("ETH_BTC"),
            .moveFavorite("ETH_BTC", to: 0),
            .changeSettings(patch, expecting: nil),
            .putHolding(holding),
            .putHolding(Holding(asset: Asset(of: "A_KRW"), quantity: "2", averagePrice: nil)),
            .putCash("1000000.5"),
            .putDisplayName("김")
        )
        #expect(record.favorites == Revised(["ETH_BTC", "BTC_KRW"], revision: 3))
        #expect(record.settings.value == UserSettings().patched(by: patch))
        #expect(record.holdings.value.map(\.asset.symbol) == ["A", "BTC"])
        #expect(record.holdings.value.last == holding)
        #expect(record.cash == Revised("1000000.5", revision: 1))
        #expect(record.profile.value == UserProfile(name: "local", displayName: "김"))
        #expect(try await repository.record(of: .local) == record)
        #expect(try await repository.changeCount(of: .local) == 8)
        let journal = try await repository.journal(of: .local, newest: 2)
        #expect(journal.map(\.kind) == ["profile.put", "cash.put"])
        #expect(journal.map(\.at) == [.noon(), .noon()])
    }

    @Test("the store applies every change as the domain rule does", arguments: 0..<40)
    func rule(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var expected = try await repository.record(of: .local)
        let markets: [MarketID] = ["BTC_KRW", "ETH_KRW", "XRP_KRW", "ETH_BTC"]
        for _ in 0..<40 {
            let market = markets[Int.random(in: 0..<4, using: &random)]
            let number = Int.random(in: 0..<5, using: &random)
            var patch = SettingsPatch()
            patch.depth = number
            patch.theme = UserSettings.Theme.allCases.randomElement(using: &random)
            let quantity = FixedDecimal(Int64(number))
            let holding = Holding(
                asset: Asset(of: market),
                quantity: quantity,
                averagePrice: number == 2 ? nil : quantity
            )
            let revision = Int64(number)
            let changes: [UserChange] = [
                .addFavorite(market), .removeFavorite(market), .moveFavorite(market, to: number),
                .replaceFavorites(
                    Array(markets.prefix(number)),
                    expecting: number == 0 ? nil : revision
                ),
                .changeSettings(patch, expecting: number == 3 ? revision : nil),
                .putHolding(holding), .removeHolding(holding.asset), .putCash(quantity),
                .putDisplayName(number == 0 ? nil : "name \(number)"),
            ]
            let change = try #require(changes.randomElement(using: &random))
            var codes: [StoreFailure.Code?] = [nil, nil]
            do { expected = try expected.applying(change) } catch { codes[0] = error.code }
            do {
                _ = try await repository.perform(change, of: .local)
            } catch {
                codes[1] = error.code
            }
            #expect(codes[0] == codes[1], "\(change)")
            #expect(try await repository.record(of: .local) == expected, "\(change)")
        }
    }

    @Test("a setting of a newer version reads as the default and survives other changes")
    func newerWords() async throws {
        var row = SettingsMapping.row(UserSettings())
        row.theme = "sepia"
        row.sort = "volume"
        row.depth = 50
        row.averages = "5,7,20"
        row.chartStyle = "line"
        row.marketLayout = "quad"
        _ = try await store.write(.putSettings(row, expecting: nil), user: 1, at: 0)
        let settings = try await repository.record(of: .local).settings.value
        var expected = UserSettings()
        expected.averages = [5, 20]
        expected.chartStyle = .line
        #expect(settings == expected)
        var patch = SettingsPatch()
        patch.colors = .western
        _ = try await perform(.changeSettings(patch, expecting: 1))
        row.colors = "western"
        #expect(try await store.record(of: 1).settings == row)
    }

    @Test("a layout is stored by its name, all panes as none")
    func layouts() async throws {
        #expect(SettingsMapping.row(UserSettings()).marketLayout == nil)
        for (layout, name) in [
            (.chart, "chart"), (.all, nil), (.chartAndBook, "chart-book"),
        ] as [(UserSettings.MarketLayout, String?)] {
            var patch = SettingsPatch()
            patch.marketLayout = layout
            let record = try await perform(.changeSettings(patch, expecting: nil))
            #expect(record.settings.value.marketLayout == layout)
            #expect(try await store.record(of: 1).settings?.marketLayout == name)
            #expect(SettingsMapping.row(record.settings.value).marketLayout == name)
        }
    }

    @Test("unreadable rows are skipped and counted")
    func unreadable() async throws {
        let long = String(repeating: "X", count: 1 << 20)
        let writes: [TestChange] = [
            .replaceFavorites(["BTC_KRW", "btc", "BTC_\u{0}KRW", long, "ETH_KRW"], expecting: nil),
            .putHolding(.init(asset: "BTC", quantity: "1e400", averagePrice: nil), limit: 9),
            .putHolding(.init(asset: "ETH", quantity: "abc", averagePrice: nil), limit: 9),
            .putHolding(.init(asset: "XRP", quantity: "1", averagePrice: "-1"), limit: 9),
            .putHolding(.init(asset: "ADA", quantity: "0", averagePrice: nil), limit: 9),
            .putHolding(.init(asset: "SOL", quantity: "3", averagePrice: "0"), limit: 9),
            .putCash("NaN"),
        ]
        for write in writes { _ = try await store.write(write, user: 1, at: 0) }
        let repository = repository
        let record = try await repository.record(of: .local)
        #expect(record.favorites.value == ["BTC_KRW", "ETH_KRW"])
        #expect(record.holdings.value.map(\.asset.symbol) == ["SOL"])
        #expect(record.cash.value == nil)
        #expect(repository.skippedRows == 8)
    }

    @Test("an invalid change never reaches the store")
    func refused() async throws {
        let holding = Holding(asset: Self.btc, quantity: "0", averagePrice: nil)
        for change in [.putCash("-1"), .putHolding(holding)] as [UserChange] {
            let failure = await #expect(throws: StoreFailure.self) {
                try await repository.perform(change, of: .local)
            }
            #expect(failure?.code == .refused)
        }
        #expect(try await repository.changeCount(of: .local) == 0)
    }

    @Test(
        "an error of the store keeps its code and detail",
        arguments: [
            (.unavailable, .unavailable), (.busy, .busy), (.full, .full), (.readOnly, .readOnly),
            (.damaged, .damaged), (.incompatible, .incompatible), (.conflict, .conflict),
            (.tooMany, .refused),
        ] as [(StoreError.Code, StoreFailure.Code)]
    )
    func errors(error: StoreError.Code, expected: StoreFailure.Code) async throws {
        store.fail(StoreError(error, "what and the remedy"))
        let repository = repository
        let calls: [() async throws -> Void] = [
            { _ = try await repository.record(of: .local) },
            { _ = try await repository.perform(.putCash("1"), of: .local) },
            { _ = try await repository.changeCount(of: .local) },
            { _ = try await repository.journal(of: .local, newest: 1) },
        ]
        for call in calls {
            let failure = await #expect(throws: StoreFailure.self) { try await call() }
            #expect(failure == StoreFailure(expected, "what and the remedy"))
        }
    }

    @Test("unreadable rows stay in place when a readable one changes")
    func unreadableRowsStay() async throws {
        _ = try await store.write(
            .replaceFavorites(["BTC_KRW", "btc", "ETH_KRW"], expecting: nil),
            user: 1,
            at: 0
        )
        let unreadable = UserRecordDTO.Holding(asset: "XRP", quantity: "x", averagePrice: nil)
        _ = try await store.write(.putHolding(unreadable, limit: 9), user: 1, at: 0)
        let holding = Holding(asset: Self.btc, quantity: "2", averagePrice: nil)
        _ = try await perform(
            .addFavorite("XRP_KRW"),
            .removeFavorite("ETH_KRW"),
            .putHolding(holding),
            .removeHolding(Self.btc)
        )
        let row = try await store.record(of: 1)
        #expect(row.favorites == ["BTC_KRW", "btc", "XRP_KRW"])
        #expect(row.holdings == [unreadable])
        #expect(row.revisions.favorites == 3)
        #expect(row.revisions.holdings == 3)
        let xrp = Holding(asset: Asset(of: "XRP_KRW"), quantity: "1", averagePrice: nil)
        _ = try await perform(.putHolding(xrp))
        #expect(try await store.record(of: 1).holdings.map(\.quantity) == ["1"])
    }
}
