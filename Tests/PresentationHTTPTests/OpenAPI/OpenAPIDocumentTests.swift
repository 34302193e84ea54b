import Foundation
import JSON
import ViewStates
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("OpenAPI describes exactly the routes of the route table")
struct OpenAPIDocumentTests {
    private let document: OrderedJSON

    init() throws {
        document = try OrderedJSON(OpenAPIDocument.bytes(version: "1.2.3"))
    }

    private func operation(_ route: Route, _ method: String) throws -> OrderedJSON {
        let path = try #require(document["paths"]?[route.template])
        return try #require(path[method.lowercased()], "\(method) \(route.template)")
    }

    @Test("the document has the OpenAPI version, the program's version and the bearer scheme")
    func head() {
        #expect(document["openapi"] == .string("3.1.0"))
        #expect(document["info"]?["version"] == .string("1.2.3"))
        #expect(
            document["components"]?["securitySchemes"]?["bearer"]?["scheme"] == .string("bearer")
        )
    }

    @Test("paths and methods equal the route table, and operation ids are unique")
    func routes() throws {
        #expect(document["paths"]?.keys == Route.all.map(\.template))
        for route in Route.all {
            let methods = try #require(document["paths"]?[route.template]?.keys)
            #expect(methods.map { $0.uppercased() } == route.allowed, "\(route.template)")
        }
        let names = Route.all.flatMap { route in
            route.allowed.compactMap { try? operation(route, $0)["operationId"]?.text }
        }
        #expect(
            Set(names).count == names.count && names.count == Route.all.flatMap(\.allowed).count
        )
    }

    @Test("every parameter of a route is described once, with a schema and a description")
    func parameters() throws {
        for route in Route.all {
            let operation = try operation(route, route.allowed[0])
            let parameters = operation["parameters"]?.elements ?? []
            let query = parameters.filter { $0["in"] == .string("query") }
            let method = try #require(route.methods.first)
            #expect(
                query.compactMap { $0["name"]?.text } == route.parameterNames(of: method),
                "\(route.template)"
            )
            let path = parameters.filter { $0["in"] == .string("path") }
                .compactMap { $0["name"]?.text }
            #expect(path.allSatisfy { route.template.contains("{\($0)}") })
            #expect(path.count == route.template.split(separator: "{").count - 1)
            for parameter in parameters {
                #expect(parameter["schema"]?.keys?.isEmpty == false)
                #expect(parameter["description"]?.text?.isEmpty == false)
            }
        }
    }

    @Test("every reference resolves")
    func references() {
        let validator = SchemaValidator(document)
        let references = Self.references(in: document)
        #expect(references.count > 80)
        for reference in references {
            #expect(validator.schema(at: reference) != nil, "\(reference)")
        }
    }

    private static func references(in json: OrderedJSON) -> Set<String> {
        switch json {
        case .object(let members):
            members.reduce(into: []) { found, member in
                if member.key == "$ref", let text = member.value.text { found.insert(text) }
                found.formUnion(references(in: member.value))
            }
        case .array(let elements):
            elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
        case .string, .number, .boolean, .null: []
        }
    }

    @Test("every schema and header field is referenced")
    func used() {
        let references = Self.references(in: document)
        for kind in ["schemas", "headers"] {
            for name in document["components"]?[kind]?.keys ?? [] {
                let isUsed = references.contains("#/components/\(kind)/\(name)")
                #expect(isUsed, "\(name)")
            }
        }
    }

    @Test("every problem code is listed under its status, with the header fields of that status")
    func problems() throws {
        let codes = document["components"]?["schemas"]?["ProblemCode"]?["enum"]?.elements
        #expect(codes == ProblemCode.allCases.map { .string($0.rawValue) })
        for code in ProblemCode.allCases {
            let name = "Problem\(code.status)"
            let response = try #require(document["components"]?["responses"]?[name])
            #expect(response["description"]?.text?.contains("`\(code.rawValue)`") == true)
            let fields = try #require(response["headers"]?.keys)
            #expect(fields.contains("X-Request-Id"))
            #expect(fields.contains("Retry-After") || code.retryAfterSeconds == nil)
            #expect(fields.contains("Allow") == (code.status == 405))
        }
    }

    @Test(
        "every operation lists the common error statuses, and users' ones those of access control"
    )
    func failures() throws {
        for route in Route.all {
            for method in route.allowed {
                let statuses = Set(try operation(route, method)["responses"]?.keys ?? [])
                #expect(statuses.isSuperset(of: ["400", "429", "431", "500"]), "\(route.template)")
                // The first webhook is made, others replace it.
                let isEither = route.target == .personal(.webhook) && method == "PUT"
                #expect(
                    statuses.intersection(["200", "201", "204"]).count == (isEither ? 2 : 1)
                )
                let isPersonal = route.access == .user
                if isPersonal { #expect(statuses.isSuperset(of: ["401", "403", "503"])) }
                let hasBody = try operation(route, method)["requestBody"] != nil
                #expect(statuses.contains("415") == hasBody)
            }
        }
    }
}
