import Testing

@testable import PresentationHTTP

@Suite("Client request ids")
struct ClientRequestIDTests {
    @Test("letters, digits and -_. are accepted", arguments: ["a", "A-b_c.9", longest])
    func kept(name: String) {
        #expect(ClientRequestID.accepted(name) == name)
    }

    @Test(
        "other ids are rejected",
        arguments: [
            nil, "", "a b", "a\nb", "a\"b", "é", "{}", "a/b", "a,b", longest + "a", "\u{0}",
            token, "id-" + token,
        ] as [String?]
    )
    func refused(name: String?) {
        #expect(ClientRequestID.accepted(name) == nil)
    }

    private static let token = "hoga_" + String(repeating: "A", count: 43)
    private static let longest = String(repeating: "x", count: ClientRequestID.lengthMax)
}
