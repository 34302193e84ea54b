import Testing

@testable import PresentationHTTP

@Suite("A client's name for its request is kept if it can be written down as it is")
struct ClientRequestIDTests {
    @Test("Letters, digits and three signs are", arguments: ["a", "A-b_c.9", longest])
    func kept(name: String) {
        #expect(ClientRequestID.kept(name) == name)
    }

    @Test(
        "Anything else is not",
        arguments: [
            nil, "", "a b", "a\nb", "a\"b", "é", "{}", "a/b", "a,b", longest + "a", "\u{0}",
            token, "id-" + token,
        ] as [String?]
    )
    func refused(name: String?) {
        #expect(ClientRequestID.kept(name) == nil)
    }

    private static let token = "hoga_" + String(repeating: "A", count: 43)
    private static let longest = String(repeating: "x", count: ClientRequestID.lengthMax)
}
