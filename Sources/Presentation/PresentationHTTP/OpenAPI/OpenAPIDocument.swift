import JSON

/// The description of the public listener that `/openapi.json` answers: OpenAPI 3.1, made from the
/// table of routes, from schemas written by hand and from examples.
enum OpenAPIDocument {
    /// Makes the description.
    ///
    /// - Parameters:
    ///   - version: the program's, `0.5.0`.
    ///   - routes: what the service takes.
    /// - Returns: JSON.
    static func bytes(version: String, routes: [Route] = Route.all) -> [UInt8] {
        json(version: version, routes: routes).bytes
    }

    /// The same as a value.
    static func json(version: String, routes: [Route]) -> JSONValue {
        [
            "openapi": "3.1.0",
            "info": info(version),
            "servers": [["url": "/"]],
            "tags": [
                ["name": "market", "description": "What is the same for everybody."],
                ["name": "user", "description": "What belongs to the user of a token."],
            ],
            "paths": .object(
                routes.map { JSONValue.Member($0.template, operations($0)) }
            ),
            "components": [
                "schemas": .object(OpenAPISchemas.all),
                "responses": OpenAPIResponses.components,
                "headers": OpenAPIResponses.headers,
                "securitySchemes": ["bearer": bearer],
            ],
        ]
    }

    private static let bearer: JSONValue = [
        "type": "http", "scheme": "bearer",
        "description": .string(
            "A token of `hoga user token new`; never in an address. Changing wants its scope"
                + " `write`."
        ),
    ]

    private static func info(_ version: String) -> JSONValue {
        [
            "title": "hoga",
            "version": .string(version),
            "summary": "Snapshots of the markets of the Bithumb exchange.",
            "description":
                """
            Screens and documents show the same. Decimals are strings in canonical form; what \
            is not known is `null`, and keys are always all there. Within a version of a \
            schema changes are additive: expect keys that are not described here, so that \
            `additionalProperties` is left open in answers; in bodies of requests it is false. \
            `HEAD` answers as `GET` does. An address that is not described answers 404 \
            `not_found`, a method that is not described 405 `method_not_allowed`; every \
            parameter may stand once. Failures below the parsing of HTTP may be pages of the \
            server's library.
            """,
            "license": ["name": "See /v1/about"],
        ]
    }

    private static func operations(_ route: Route) -> JSONValue {
        .object(
            route.methods.flatMap { method -> [JSONValue.Member] in
                let operation = OpenAPIOperation(route: route, method: method)
                let name = method.rawValue.lowercased()
                let member = JSONValue.Member(name, operation.json)
                guard method == .get else { return [member] }
                var head = operation
                head.isHead = true
                return [member, JSONValue.Member("head", head.json)]
            }
        )
    }
}
