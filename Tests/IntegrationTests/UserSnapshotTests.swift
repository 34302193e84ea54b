import Domain
import Foundation
import ViewStates
import Testing

@testable import App

@Suite("hoga snapshot of user data", .ownThread, .timeLimit(.minutes(4)))
struct UserSnapshotTests {
    private let folder = NSTemporaryDirectory() + "hoga-personal-\(UUID().uuidString)"

    private func run(_ arguments: String...) throws -> HogaProcess.Outcome {
        try HogaProcess.run(
            arguments,
            environment: [
                "XDG_DATA_HOME": folder, "HOGA_EXCHANGE": "simulated",
                // With so few markets GMX has a name but no listing.
                "HOGA_SIMULATOR_KRW_MARKETS": "50",
            ]
        )
    }

    private func document<State>(
        _ type: StoredDocument<State>.Type,
        _ name: String
    ) throws -> StoredDocument<State> {
        let outcome = try run("snapshot", name)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(type, from: Data(outcome.output.utf8))
    }

    @Test("holdings, cash and favorites come from the store, valued and in order")
    func documents() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for arguments in [
            ["holdings", "put", "BTC", "0.5", "100000000"], ["holdings", "put", "GMX", "2"],
            ["cash", "1500000"], ["favorites", "add", "ETH_KRW"], ["favorites", "add", "BTC_KRW"],
        ] {
            let outcome = try HogaProcess.run(arguments, environment: ["XDG_DATA_HOME": folder])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let cash = try document(StoredDocument<CashViewState>.self, "cash")
        #expect(cash.state.amount?.canonicalText == "1500000" && cash.revision == "u1-1")
        let holdings = try document(StoredDocument<HoldingsViewState>.self, "holdings")
        #expect(holdings.state.rows?.map(\.asset) == ["BTC", "GMX"])
        let favorites = try document(StoredDocument<FavoritesViewState>.self, "favorites")
        #expect(favorites.state.rows?.map(\.market) == ["ETH_KRW", "BTC_KRW"])
        #expect(favorites.revision == "u1-2")
        let settings = try document(StoredDocument<SettingsViewState>.self, "settings")
        #expect(settings.state == SettingsViewState(.init()))
        let me = try document(StoredDocument<ProfileViewState>.self, "me")
        #expect(me.state.name == "local" && me.state.scopes == [.read, .write])

        let portfolio = try JSONDecoder().decode(
            PortfolioDocument.self,
            from: Data(try run("snapshot", "portfolio").output.utf8)
        )
        #expect(portfolio.state.rows.map(\.asset) == ["BTC", "GMX"])
        #expect(portfolio.state.rows.first?.valuedThrough == "BTC_KRW")
        #expect(portfolio.state.rows.first?.deposit != nil)
        #expect(portfolio.state.unvalued == ["GMX"])
        let cashShare = try #require(portfolio.state.cash.sharePercent)
        let shares = portfolio.state.rows.compactMap(\.sharePercent) + [cashShare]
        #expect(portfolio.state.rows.last?.sharePercent == nil)
        #expect(shares.reduce(0) { $0 + $1.units } == 100 * FixedDecimal.unitsPerOne)

        let list = try JSONDecoder().decode(
            MarketListDocument.self,
            from: Data(try run("snapshot", "market-list", "--tab", "favorites").output.utf8)
        )
        #expect(list.state.rows.map(\.market) == ["ETH_KRW", "BTC_KRW"])
        #expect(list.state.rows.map(\.favorite?.position) == [1, 2])
    }

    @Test("single documents of deposits and of the program are complete")
    func assetsAndAbout() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let assets = try JSONDecoder().decode(
            AssetsDocument.self,
            from: Data(try run("snapshot", "assets", "--state", "suspended").output.utf8)
        )
        #expect(assets.state.health.phase == .ready && assets.state.query.state == "suspended")
        #expect(assets.state.rows.count == assets.state.counts.suspended)
        #expect(assets.state.counts.all > 0)
        let about = try JSONDecoder().decode(
            AboutDocument.self,
            from: Data(try run("snapshot", "about", "--lang", "en").output.utf8)
        )
        #expect(about.state.licenses.count == LinkedLibrary.allCases.count)
        #expect(about.state.notice.contains("(KST)"))
    }

    @Test("a user document without a store is refused")
    func withoutStore() throws {
        let outcome = try run("snapshot", "portfolio", "--store", "none")
        #expect(outcome.status == 78 && outcome.errors.contains("--store"))
        #expect(outcome.output.isEmpty)
    }
}
