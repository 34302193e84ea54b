import Foundation
import ViewStates
import TestSupport
import Testing

/// Each generation of frozen documents is a folder of fixtures.
///
/// `make freeze` adds a folder; existing folders never change.
@Suite("Documents of earlier releases are read without losing a key or value")
struct FrozenDocumentTests {
    @Test("a document decoded by today's types and encoded again has every old key and value")
    func everyGeneration() throws {
        let documents = try FrozenDocuments.all()
        #expect(Set(documents.map(\.generation)).contains(1))
        for document in documents {
            let new = try OrderedJSON(try Self.again(document))
            let old = Self.converted(try OrderedJSON(document.bytes), version: new["version"])
            #expect(Self.lost(of: old, in: new) == [], "\(document)")
        }
    }

    @Test("schema and version in a frozen document match its file name")
    func names() throws {
        for document in try FrozenDocuments.all()
        where !["problem", "readiness"].contains(document.schema) {
            let json = try OrderedJSON(document.bytes)
            #expect(json["schema"] == .string(document.schema), "\(document)")
            #expect(json["version"] == .number("\(document.version)"), "\(document)")
        }
    }

    @Test("the newest frozen documents have exactly the keys of today's documents")
    func upToDate() throws {
        let frozen = Dictionary(
            try FrozenDocuments.newest().map { ($0.fileName, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let today = FrozenSamples.documents()
        #expect(Set(frozen.keys) == Set(today.map(\.fileName)), "make freeze")
        for document in today {
            let old = try OrderedJSON(try #require(frozen[document.fileName]).bytes)
            let new = try OrderedJSON(document.bytes)
            #expect(
                Self.places(in: new) == Self.places(in: old),
                "make freeze: \(document.fileName)"
            )
        }
    }

    @Test(
        "today's documents are written as a new generation",
        .enabled(if: ProcessInfo.processInfo.environment["HOGA_FREEZE"] == "1", "make freeze")
    )
    func freeze() throws {
        let folder = try FrozenDocuments.freeze(FrozenSamples.documents())
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("the comparison finds missing keys and changed values")
    func comparison() throws {
        let old = try OrderedJSON(Array(#"{"a":[{"b":1},{"b":null}],"c":"x","d":{}}"#.utf8))
        let added = #"{"new":0,"a":[{"z":2,"b":1},{"b":null}],"d":{"e":1},"c":"x"}"#
        #expect(Self.lost(of: old, in: try OrderedJSON(Array(added.utf8))) == [])
        let broken = #"{"a":[{"b":2},{}],"d":null}"#
        #expect(
            Self.lost(of: old, in: try OrderedJSON(Array(broken.utf8)))
                == [".a[0].b", ".a[1].b", ".c", ".d"]
        )
        let shorter = #"{"a":[{"b":1}],"c":"x","d":{}}"#
        #expect(Self.lost(of: old, in: try OrderedJSON(Array(shorter.utf8))) == [".a"])
    }

    // MARK: Reading and writing again

    /// The document, decoded by today's type of its schema and version and encoded again.
    private static func again(_ frozen: FrozenDocument) throws -> [UInt8] {
        switch (frozen.schema, frozen.version) {
        case ("market-list", 1): try read(MarketListDocument.self, frozen).json
        case ("market-detail", 1...2): try read(MarketDetailDocument.self, frozen).json
        case ("order-book", 1): try read(OrderBookDocument.self, frozen).json
        case ("trades", 1): try read(TradesDocument.self, frozen).json
        case ("candles", 1...2): try read(CandlesDocument.self, frozen).json
        case ("assets", 1): try read(AssetsDocument.self, frozen).json
        case ("snapshot", 1...2): try read(SnapshotDocument.self, frozen).json
        case ("about", 1): try read(AboutDocument.self, frozen).json
        case ("portfolio", 1): try read(PortfolioDocument.self, frozen).json
        case ("settings", 1): try read(StoredDocument<SettingsViewState>.self, frozen).json
        case ("favorites", 1): try read(StoredDocument<FavoritesViewState>.self, frozen).json
        case ("holdings", 1): try read(StoredDocument<HoldingsViewState>.self, frozen).json
        case ("cash", 1): try read(StoredDocument<CashViewState>.self, frozen).json
        case ("me", 1): try read(StoredDocument<ProfileViewState>.self, frozen).json
        case ("alerts", 1): try read(StoredDocument<AlertsViewState>.self, frozen).json
        case ("alert", 1): try read(StoredDocument<AlertRuleViewState>.self, frozen).json
        case ("alert-log", 1): try read(StoredDocument<AlertLogViewState>.self, frozen).json
        case ("webhook", 1): try read(StoredDocument<WebhookViewState>.self, frozen).json
        case ("new-webhook", 1):
            try read(StoredDocument<NewWebhookViewState>.self, frozen).json
        case ("tokens", 1): try read(StoredDocument<TokensViewState>.self, frozen).json
        case ("token", 1): try read(StoredDocument<NewTokenViewState>.self, frozen).json
        case ("problem", 1): try read(ProblemDocument.self, frozen).json
        case ("readiness", 1): try read(ReadinessDocument.self, frozen).json
        default: throw FrozenDocuments.Unfit(description: "\(frozen) has no reader any more")
        }
    }

    private static func read<Content: Decodable>(
        _ type: Content.Type,
        _ frozen: FrozenDocument
    ) throws -> Content {
        try JSONDecoder().decode(type, from: Data(frozen.bytes))
    }

    // MARK: Comparing

    /// An old document as today's version has its values: averages of version 1 move from beside
    /// the candles into them.
    private static func converted(_ json: OrderedJSON, version: OrderedJSON?) -> OrderedJSON {
        guard case .object(var members) = json else { return json }
        if let averages = json["averages"], let candles = json["candles"]?.elements {
            let rows = candles.enumerated().map { place, candle -> OrderedJSON in
                guard case .object(let members) = candle else { return candle }
                return .object(members + [.init("averages", Self.element(place, of: averages))])
            }
            members.removeAll { $0.key == "averages" }
            members = members.map { $0.key == "candles" ? .init($0.key, .array(rows)) : $0 }
        }
        return .object(
            members.map { member in
                let isVersion = member.key == "version" && version != nil
                return .init(
                    member.key,
                    isVersion ? version ?? .null : converted(member.value, version: nil)
                )
            }
        )
    }

    /// Objects of arrays as objects of the arrays' elements at a place.
    private static func element(_ place: Int, of json: OrderedJSON) -> OrderedJSON {
        switch json {
        case .object(let members):
            .object(members.map { .init($0.key, element(place, of: $0.value)) })
        case .array(let elements): elements[place]
        case .string, .number, .boolean, .null: json
        }
    }

    /// The paths of old values that are missing or changed.
    private static func lost(
        of old: OrderedJSON,
        in new: OrderedJSON,
        at place: String = ""
    ) -> [String] {
        switch (old, new) {
        case (.object(let members), .object):
            members.flatMap { member -> [String] in
                let place = place + "." + member.key
                guard let value = new[member.key] else { return [place] }
                return lost(of: member.value, in: value, at: place)
            }
        case (.array(let before), .array(let after)):
            before.count == after.count
                ? zip(before, after).enumerated().flatMap { index, pair in
                    lost(of: pair.0, in: pair.1, at: place + "[\(index)]")
                } : [place]
        default: old == new ? [] : [place]
        }
    }

    /// The paths of all keys of a document.
    private static func places(in json: OrderedJSON, at place: String = "") -> Set<String> {
        switch json {
        case .object(let members):
            members.reduce(into: []) { places, member in
                let place = place + "." + member.key
                places.insert(place)
                places.formUnion(Self.places(in: member.value, at: place))
            }
        case .array(let elements):
            elements.reduce(into: []) { $0.formUnion(places(in: $1, at: place + "[]")) }
        case .string, .number, .boolean, .null: []
        }
    }
}
