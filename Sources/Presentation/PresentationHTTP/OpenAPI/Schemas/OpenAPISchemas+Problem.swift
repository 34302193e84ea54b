extension OpenAPISchemas {
    /// Failures of requests.
    static var problem: KeyValuePairs<String, JSONValue> {
        [
            "ProblemCode": .words(ProblemCode.self)
                .saying("A stable word for programs; new ones may come."),
            "Problem": [
                "type": "object",
                "description": "A failure of a request, as RFC 9457 describes it.",
                "required": [
                    "type", "title", "status", "detail", "code", "retryable", "requestId",
                ],
                "properties": [
                    "type": .text(pattern: "^/problems/[a-z_]+$"),
                    "title": .text.saying("What the code means."),
                    "status": .integer(in: 400...599),
                    "detail": .text.saying("This occurrence in a sentence."),
                    "code": .schema("ProblemCode"),
                    "parameter": .text.saying("With `invalid_parameter`: which one."),
                    "allowed": .list(.text).saying("With `invalid_parameter`: what it may be."),
                    "retryable": .flag.saying("Whether the same request may succeed later."),
                    "requestId": .text.saying("Names the request in logs."),
                ],
            ],
        ]
    }

    /// The problems that answers of one status tell.
    static func problem(_ codes: [ProblemCode]) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "code", value: .words(codes.map(\.rawValue)))
        ]
        if let status = codes.first?.status {
            let value: JSONValue = ["type": "integer", "const": .integer(status)]
            members.append(.init(key: "status", value: value))
        }
        var narrow: JSONValue = ["type": "object", "properties": .object(members)]
        if codes == [.invalidParameter] {
            narrow = narrow.with("required", ["parameter", "allowed"])
        }
        return ["allOf": [.schema("Problem"), narrow]]
    }
}
