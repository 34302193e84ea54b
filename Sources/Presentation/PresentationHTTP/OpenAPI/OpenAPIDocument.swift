import JSON

/// `/openapi.json`: the OpenAPI 3.1 description of the public listener, from the route table, the
/// documents' field lists and the examples.
enum OpenAPIDocument {
    /// Makes the description.
    ///
    /// - Parameters:
    ///   - version: the program's, `0.5.0`.
    ///   - routes: the route table.
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
                ["name": "market", "description": "Market data, the same for every caller."],
                ["name": "user", "description": "Data of the token's user."],
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
            "A token of `hoga user token new` or `POST /v1/me/tokens`; never put it in a URL. "
                + "Changes need the scope `write`."
        ),
    ]

    private static func info(_ version: String) -> JSONValue {
        [
            "title": "hoga",
            "version": .string(version),
            "summary": "Market snapshots of the Bithumb exchange.",
            "description":
                """
            Documents carry the same values as the terminal. Decimals are strings in canonical \
            form. Unknown values are `null`, and all keys are always present. Changes within a \
            schema version are additive: expect unknown keys in responses. Request bodies with \
            unknown keys are refused. `HEAD` answers as `GET` without a body. Unknown paths \
            answer 404 `not_found`, other methods 405 `method_not_allowed`. A parameter may be \
            given once. Malformed HTTP may be answered by a page of the server library.
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
