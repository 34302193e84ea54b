import Domain
import Foundation
import JSON
import ViewStates
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Encoded documents match their OpenAPI schemas")
struct OpenAPISchemaTests {
    private let document: OrderedJSON

    init() throws {
        document = try OrderedJSON(OpenAPIDocument.bytes(version: "0.0.0"))
    }

    /// The name of the schema of a frozen document.
    private static func schema(of frozen: FrozenDocument) -> String? {
        switch frozen.schema {
        case "market-list":
            frozen.scene.hasPrefix("personal")
                ? "PersonalMarketListDocument" : "MarketListDocument"
        case "market-detail": "MarketDetailDocument"
        case "order-book": "OrderBookDocument"
        case "trades": "TradesDocument"
        case "candles": "CandlesDocument"
        case "assets": "AssetsDocument"
        case "snapshot": "SnapshotDocument"
        case "about": "AboutDocument"
        case "portfolio": "PortfolioDocument"
        case "settings": "SettingsDocument"
        case "favorites": "FavoritesDocument"
        case "holdings": "HoldingsDocument"
        case "cash": "CashDocument"
        case "me": "ProfileDocument"
        case "alerts": "AlertsDocument"
        case "alert": "AlertDocument"
        case "alert-log": "AlertLogDocument"
        case "webhook": "WebhookDocument"
        case "new-webhook": "NewWebhookDocument"
        case "tokens": "TokensDocument"
        case "token": "NewTokenDocument"
        case "problem": "Problem"
        // The admin listener has no description.
        case "readiness": nil
        default: "nothing for \(frozen.schema)"
        }
    }

    private func described() throws -> [(frozen: FrozenDocument, schema: String, json: OrderedJSON)]
    {
        try FrozenDocuments.newest().compactMap { frozen in
            try Self.schema(of: frozen).map { (frozen, $0, try OrderedJSON(frozen.bytes)) }
        }
    }

    @Test("encoded documents match their schemas exactly")
    func documents() throws {
        var validator = SchemaValidator(document)
        for (frozen, schema, json) in try described() {
            #expect(validator.faults(of: json, schema) == [], "\(frozen)")
        }
    }

    @Test("every nullable field is null in one sample and set in another")
    func nullability() throws {
        var validator = SchemaValidator(document)
        for (_, schema, json) in try described() { _ = validator.faults(of: json, schema) }
        let schemas = try #require(document["components"]?["schemas"])
        let inputs = OpenAPISchemas.inputs.map(\.name) + OpenAPISchemas.streams.map(\.name)
        var nullable: [String] = []
        for name in schemas.keys ?? [] where !inputs.contains(name) {
            let place = "#/components/schemas/" + name
            nullable += Self.nullablePlaces(try #require(schemas[name]), place)
        }
        #expect(nullable.count > 60)
        #expect(nullable.filter { !validator.nulls.contains($0) } == [])
        #expect(nullable.filter { !validator.others.contains($0) } == [])
    }

    private static func nullablePlaces(_ schema: OrderedJSON, _ place: String) -> [String] {
        let isNullable =
            schema["type"]?.elements?.contains(.string("null")) ?? false
            || schema["oneOf"]?.elements?.contains(.object([.init("type", .string("null"))]))
                ?? false
        let below: [String] =
            switch schema {
            case .object(let members):
                members.flatMap { nullablePlaces($0.value, place + "/" + $0.key) }
            case .array(let elements):
                elements.enumerated().flatMap { nullablePlaces($1, "\(place)/\($0)") }
            case .string, .number, .boolean, .null: []
            }
        return (isNullable ? [place] : []) + below
    }

    @Test("the validator finds missing keys, undescribed keys and wrong types")
    func strictness() throws {
        var validator = SchemaValidator(document)
        // Optional keys.
        var places: Set<String> = [
            "SnapshotDocument.state-market-list", "SnapshotDocument.state-market-detail",
            "SnapshotDocument.state-assets", "TradesDocument.state-hasMore", "Problem-parameter",
            "Problem-allowed",
            "AboutDocument.state-installation",
            "AboutDocument.state.limits-rows", "AboutDocument.state.limits-depth",
        ]
        // A request chooses the windows of averages.
        for candles in [
            "CandlesDocument.state", "MarketDetailDocument.state.chart",
            "SnapshotDocument.state.market-detail.chart",
        ] {
            for window in CandleSeries.averageWindows {
                places.insert("\(candles).candles[].averages.close-\(window)")
                places.insert("\(candles).candles[].averages.volume-\(window)")
            }
        }
        var mutants = 0
        for (frozen, schema, whole) in try described() {
            let json = whole.shortened
            try #require(validator.faults(of: json, schema) == [], "\(frozen)")
            for mutant in json.mutants() where places.insert(schema + mutant.place).inserted {
                mutants += 1
                let faults = validator.faults(of: mutant.json, schema)
                #expect(!faults.isEmpty, "\(frozen)\(mutant.place)")
            }
        }
        #expect(mutants > 1_000)
    }

    @Test("every example is written by the encoders and matches its schema")
    func examples() throws {
        var validator = SchemaValidator(document)
        var names: Set<String> = []
        let documents = Route.all.flatMap { route in
            route.methods.filter { [.get, .post, .put].contains($0) }.map { (route, $0) }
        }
        for (route, method) in documents {
            guard case .encoded(let bytes)? = OpenAPIExamples.example(route.target, method) else {
                continue
            }
            let operation = OperationStrings(route.target, method)
            let reference = try #require(operation.answer?["$ref"])
            guard case .string(let place) = reference else { continue }
            names.insert(place)
            #expect(
                validator.faults(of: try OrderedJSON(bytes), at: place) == [],
                "\(route.template)"
            )
        }
        #expect(names.count == 22)
    }

    @Test("a problem of each code matches the responses of its own status only")
    func problems() throws {
        var validator = SchemaValidator(document)
        for code in ProblemCode.allCases {
            var problem = Problem(code: code, detail: "what happened")
            if code == .invalidParameter {
                (problem.parameter, problem.allowed) = ("limit", ["1..1000"])
            }
            let json = try OrderedJSON(problem.json(requestID: "01"))
            #expect(validator.faults(of: json, "Problem") == [], "\(code)")
            for other in ProblemCode.allCases {
                let place =
                    "#/components/responses/Problem\(other.status)/content/"
                    + "application~1problem+json/schema"
                let isFitting = validator.faults(of: json, at: place).isEmpty
                #expect(isFitting == (other.status == code.status), "\(code) as \(other)")
            }
        }
    }
}

extension OrderedJSON {
    /// A value with one fault, and the path of the fault without indexes.
    fileprivate struct Mutant {
        let place: String
        let json: OrderedJSON
    }

    /// The value with two elements of each array at most: all elements have the same schema.
    fileprivate var shortened: OrderedJSON {
        switch self {
        case .object(let members): .object(members.map { Member($0.key, $0.value.shortened) })
        case .array(let elements): .array(elements.prefix(2).map(\.shortened))
        case .string, .number, .boolean, .null: self
        }
    }

    /// Copies of the value with one fault each: a missing key, an extra key or a wrong type.
    fileprivate func mutants() -> [Mutant] {
        switch self {
        case .object(let members):
            members.indices.flatMap { index -> [Mutant] in
                let member = members[index]
                var without = members
                without.remove(at: index)
                let inner = member.value.mutants().map { mutant in
                    var changed = members
                    changed[index] = Member(member.key, mutant.json)
                    return Mutant(place: "." + member.key + mutant.place, json: .object(changed))
                }
                return [Mutant(place: "-" + member.key, json: .object(without))] + inner
            } + [
                Mutant(place: "+", json: .object(members + [Member("unknownKey", .null)])),
                Mutant(place: "!", json: .boolean(true)),
            ]
        case .array(let elements):
            elements.indices.flatMap { index in
                elements[index].mutants().map { mutant in
                    var changed = elements
                    changed[index] = mutant.json
                    return Mutant(place: "[]" + mutant.place, json: .array(changed))
                }
            } + [Mutant(place: "!", json: .boolean(true))]
        case .string: [Mutant(place: "!", json: .number("1"))]
        case .number: [Mutant(place: "!", json: .string("1"))]
        case .boolean: [Mutant(place: "!", json: .string("true"))]
        case .null: [Mutant(place: "!", json: .array([]))]
        }
    }
}
