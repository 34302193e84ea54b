import Domain
import Foundation
import ViewStates
import TestSupport
import Testing

/// The fixtures are the contract's examples of `assets`, `portfolio` and `settings` version 1, as
/// of 2026-11-20: source `examples/` beside the page on the JSON contract.
@Suite("Asset and user documents have the contract's keys and round-trip")
struct PersonalDocumentTests {
    @Test("the contract's examples round-trip, order of keys included")
    func examples() throws {
        try expectExample(AssetsDocument.self, PackageResources.assets_json, \.json)
        try expectExample(PortfolioDocument.self, PackageResources.portfolio_json, \.json)
        try expectExample(
            StoredDocument<SettingsViewState>.self,
            PackageResources.settings_json,
            \.json
        )
    }

    private func expectExample<Content: Decodable>(
        _ type: Content.Type,
        _ bytes: [UInt8],
        _ json: (Content) -> [UInt8]
    ) throws {
        let document = try JSONDecoder().decode(type, from: Data(bytes))
        #expect(try OrderedJSON(json(document)) == OrderedJSON(bytes))
    }

    @Test("random documents round-trip with exactly the examples' keys")
    func roundTrip() throws {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 71))
        let examples = (
            assets: try OrderedJSON(PackageResources.assets_json),
            portfolio: try OrderedJSON(PackageResources.portfolio_json)
        )
        var objectsSeen: Set<String> = []
        for _ in 0..<200 {
            let assets = samples.document(samples.assets())
            try expectSurvival(assets)
            try OrderedJSON(assets.json).compareKeys(with: examples.assets, &objectsSeen)
            let portfolio = samples.document(samples.portfolio())
            try expectSurvival(portfolio)
            try OrderedJSON(portfolio.json).compareKeys(with: examples.portfolio, &objectsSeen)
            try expectSurvival(samples.document(samples.about()))
        }
        #expect(
            objectsSeen == [
                "", ".source", ".state", ".state.health", ".state.query", ".state.counts",
                ".state.rows[]", ".state.rows[].name", ".state.user", ".state.cash",
                ".state.totals",
            ]
        )
    }

    private func expectSurvival<State>(_ document: Document<State>) throws {
        let read = try JSONDecoder().decode(Document<State>.self, from: Data(document.json))
        #expect(read == document)
    }

    @Test("stored documents round-trip with the contract's keys")
    func stored() throws {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 72))
        for counter in 0..<50 as Range<Int64> {
            let record = samples.record()
            let settings = try survivor(SettingsViewState(record.settings.value), counter)
            let example = try OrderedJSON(PackageResources.settings_json)
            let keys = try #require(example["state"]?.keys)
            // Absent for all panes.
            let layout = record.settings.value.marketLayout
            #expect(
                settings["state"]?.keys == keys + (layout == .all ? [] : ["marketLayout"])
            )
            #expect(
                settings["state"]?["marketLayout"]
                    == (layout == .all ? nil : .string(layout.rawValue))
            )
            let favorites = try survivor(FavoritesViewState(record.favorites.value), counter)
            let first = try #require(favorites["state"]?["rows"]?.elements?.first)
            #expect(first.keys == ["market", "position"])
            #expect(first["position"] == .number("1") && first["market"] == .string("XRP_KRW"))
            let holdings = try survivor(HoldingsViewState(record.holdings.value), counter)
            for row in holdings["state"]?["rows"]?.elements ?? [] {
                #expect(row.keys == ["asset", "quantity", "averagePrice"])
            }
            #expect(
                try survivor(CashViewState(record.cash.value), counter)["state"]?.keys == [
                    "amount"
                ]
            )
            let scopes: [ProfileViewState.Scope] = samples.flag() ? [.read, .write] : [.read]
            let me = try survivor(
                ProfileViewState(record.profile.value, scopes: scopes),
                counter
            )
            #expect(me["state"]?.keys == ["name", "displayName", "scopes"])
        }
    }

    /// The document's JSON, after it has been read again.
    private func survivor<State>(_ state: State, _ counter: Int64) throws -> OrderedJSON
    where State: DocumentState {
        let document = StoredDocument(user: 4, counter: counter, state: state)
        let json = document.json
        let read = try JSONDecoder().decode(StoredDocument<State>.self, from: Data(json))
        #expect(read == document)
        let ordered = try OrderedJSON(json)
        #expect(ordered.keys == ["schema", "version", "revision", "state"])
        #expect(ordered["revision"] == .string("u4-\(counter)"))
        return ordered
    }

    @Test("the about document has the contract's keys, limits ordered by name")
    func about() throws {
        let about = AboutPresenter(
            version: "1.2.3",
            commit: "abc",
            installation: "tarball",
            limits: ["rows": 2, "depth": 1],
            libraryVersions: [.libdeflate: "1.14"]
        ).present(.korean)
        let document = AboutDocument(
            revision: "epoch-1",
            asOf: SampleBoard.start,
            source: SourceViewState(.live, .v1),
            state: about
        )
        let state = try #require(try OrderedJSON(document.json)["state"])
        #expect(
            state.keys == [
                "version", "commit", "installation", "limits", "licenses", "authors", "notice",
            ]
        )
        #expect(state["installation"] == .string("tarball"))
        #expect(state["limits"]?.keys == ["depth", "rows"])
        let licenses = try #require(state["licenses"]?.elements)
        #expect(licenses.count == LinkedLibrary.allCases.count)
        for license in licenses {
            #expect(license.keys == ["name", "version", "license", "text"])
            #expect(license["license"]?.text?.isEmpty == false)
            let isThis = license["name"] == .string("libdeflate")
            #expect(license["version"] == (isThis ? .string("1.14") : .null))
        }
    }

    @Test("a row has the favorite key in a user's lists only")
    func favoriteKey() throws {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 73))
        let marks: [FavoriteViewState?] = [nil, .init(position: nil), .init(position: 7)]
        for mark in marks {
            var list = samples.list()
            var row = samples.row()
            row.favorite = mark
            list.rows = [row]
            let document = samples.document(list)
            try expectSurvival(document)
            let json = try OrderedJSON(document.json)["state"]?["rows"]?.elements?.first
            #expect(json?.keys?.contains("favorite") == (mark != nil))
            guard let mark else { continue }
            #expect(json?.keys?.last == "favorite")
            if mark.position == nil {
                #expect(json?["favorite"] == .null)
            } else {
                #expect(json?["favorite"]?.keys == ["position"])
                #expect(json?["favorite"]?["position"] == .number("7"))
            }
        }
    }
}
