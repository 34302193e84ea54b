import JSON
import ViewStates

/// Shared responses: problems by status, and response headers.
enum OpenAPIResponses {
    /// Every error status, ascending, with its problem codes.
    static var problems: [(status: Int, codes: [ProblemCode])] {
        Dictionary(grouping: ProblemCode.allCases) { $0.status }
            .sorted { $0.key < $1.key }
            .map { (status: $0.key, codes: $0.value) }
    }

    /// A reference to a problem's response.
    static func reference(_ status: Int) -> JSONValue {
        ["$ref": .string("#/components/responses/Problem\(status)")]
    }

    /// The responses by name.
    static var components: JSONValue {
        .object(
            problems.map { status, codes in
                JSONValue.Member("Problem\(status)", response(status, codes))
            }
        )
    }

    private static func response(_ status: Int, _ codes: [ProblemCode]) -> JSONValue {
        let text = codes.map { "`\($0.rawValue)`: \($0.title)." }.joined(separator: " ")
        var headers: [JSONValue.Member] = [header("X-Request-Id")]
        if status == ProblemCode.methodNotAllowed.status { headers.append(header("Allow")) }
        if codes.contains(where: { $0.retryAfterSeconds != nil }) {
            headers.append(header("Retry-After"))
        }
        return [
            "description": .string(text), "headers": .object(headers),
            "content": [
                "application/problem+json": ["schema": OpenAPISchemas.problem(codes)]
            ],
        ]
    }

    /// A reference to a response header.
    static func header(_ name: String) -> JSONValue.Member {
        .init(name, ["$ref": .string("#/components/headers/" + name)])
    }

    /// The response headers by name.
    static var headers: JSONValue {
        func field(_ description: String, _ schema: JSONValue = .text) -> JSONValue {
            ["description": .string(description), "schema": schema]
        }
        func always(_ description: String, _ schema: JSONValue = .text) -> JSONValue {
            field(description, schema).with("required", true)
        }
        return [
            "ETag": always(
                "Changes exactly when the content changes; differs by parameters and encoding."
            ),
            "Cache-Control": always(
                "`no-cache`: revalidate with `If-None-Match`; `private`: a user's own data."
            ),
            "Age": field(
                "Seconds since the data were last known to be current; absent while they are.",
                .integer(from: 0)
            ),
            "RateLimit-Policy": always("The limits of this client."),
            "RateLimit": always("The remaining quota."),
            "Retry-After": always("Seconds until the next attempt.", .integer(from: 0)),
            "Location": always("The path of what was made."),
            "X-Request-Id": always("The request's id in logs; clients may send one."),
            "Allow": always("The allowed methods."),
            "Vary": field("Request headers that the response depends on."),
        ]
    }
}
