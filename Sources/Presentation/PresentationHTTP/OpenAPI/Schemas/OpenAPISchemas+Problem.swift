import JSON
import ViewStates

extension OpenAPISchemas {
    /// Failed requests.
    static var problem: [JSONValue.Member] {
        [
            .init(
                "ProblemCode",
                .values(of: ProblemCode.self)
                    .described("A stable code for programs; later releases may add codes.")
            ),
            ProblemDocument.component(),
        ]
    }

    /// The problems of one status.
    static func problem(_ codes: [ProblemCode]) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("code", .values(codes.map(\.rawValue)))
        ]
        if let status = codes.first?.status {
            members.append(.init("status", .constant(status)))
        }
        var narrow: JSONValue = ["type": "object", "properties": .object(members)]
        if codes == [.invalidParameter] {
            narrow = narrow.with("required", ["parameter", "allowed"])
        }
        return ["allOf": [.schema("Problem"), narrow]]
    }
}
