import JSON
import ViewStates

/// The answers that many operations share: problems, by status, and the header fields of answers.
enum OpenAPIResponses {
    /// Every status that tells of a problem, ascending, with its codes.
    static var problems: [(status: Int, codes: [ProblemCode])] {
        Dictionary(grouping: ProblemCode.allCases) { $0.status }
            .sorted { $0.key < $1.key }
            .map { (status: $0.key, codes: $0.value) }
    }

    /// A problem's answer by its name among the components.
    static func reference(_ status: Int) -> JSONValue {
        ["$ref": .string("#/components/responses/Problem\(status)")]
    }

    /// The answers themselves, by name.
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

    /// A header field of an answer, as a reference.
    static func header(_ name: String) -> JSONValue.Member {
        .init(name, ["$ref": .string("#/components/headers/" + name)])
    }

    /// The header fields themselves, by name.
    static var headers: JSONValue {
        func field(_ description: String, _ schema: JSONValue = .text) -> JSONValue {
            ["description": .string(description), "schema": schema]
        }
        func always(_ description: String, _ schema: JSONValue = .text) -> JSONValue {
            field(description, schema).with("required", true)
        }
        return [
            "ETag": always(
                "Changes exactly when the content of this resource does, per parameters and"
                    + " encoding."
            ),
            "Cache-Control": always(
                "`no-cache`: ask again, with `If-None-Match`; `private`: what belongs to a user."
            ),
            "RateLimit-Policy": always("The limits in force for whoever asks."),
            "RateLimit": always("What is left of them."),
            "Retry-After": always("When to ask again, in seconds.", .integer(from: 0)),
            "X-Request-Id": always("Names the request in logs; whoever asks may give one."),
            "Allow": always("The methods that this address takes."),
            "Vary": field("What else than the address the answer depends on."),
        ]
    }
}
