import Domain
import Foundation
import TestSupport
import Testing

@Suite("Access token: text form, parsing and masking")
struct AccessTokenTests {
    @Test("a token's text has fixed length, is URL-safe and round-trips", arguments: 0..<50)
    func text(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let token = AccessToken(randomBytes: bytes)
        #expect(token.text.utf8.count == AccessToken.textLength)
        // Foundation's encoder, with two characters of its alphabet replaced.
        let expected = Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
        #expect(token.text == "hoga_" + expected)
        #expect(AccessToken(token.text) == token)
        var other = bytes
        let bit = Int.random(in: 0..<256, using: &random)
        other[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(AccessToken(randomBytes: other).text != token.text)
    }

    @Test("the lowest and the highest token have the fixed length, too")
    func ends() {
        let zeros = AccessToken(randomBytes: Array(repeating: 0, count: 32)).text
        #expect(zeros == "hoga_" + aaa + "A")
        let ones = AccessToken(randomBytes: Array(repeating: 255, count: 32)).text
        #expect(ones == "hoga_" + String(repeating: "_", count: 42) + "8")
    }

    private let aaa = String(repeating: "A", count: 42)

    @Test("malformed token text is rejected")
    func refused() {
        let good = "hoga_" + aaa
        #expect(AccessToken(good + "A") != nil)
        for text in [
            "", "hoga_", good, good + "AA", "Hoga_" + aaa + "A", "hoga-" + aaa + "A",
            aaa + "A", good + "B", good + "+", good + "=", good + "\n", " " + good, good + "가",
            "hoga_" + String(repeating: "가", count: 43),
        ] {
            #expect(AccessToken(text) == nil, "\(text.debugDescription)")
        }
    }

    @Test("tokens within a text are masked, and other text is unchanged")
    func masked() {
        let hangul = String(repeating: "가", count: 43)
        let token = AccessToken(randomBytes: Array(1...32)).text
        for (text, masked) in [
            ("/v1/" + token, "/v1/hoga_…"), (token, "hoga_…"), (token + "/x", "hoga_…/x"),
            ("가" + token + "나 " + token, "가hoga_…나 hoga_…"), (token + "tail", "hoga_…"),
            ("hoga_" + token, "hoga_…"), ("hoga_/" + token, "hoga_/hoga_…"),
            // Text that is not a token is unchanged.
            (String(token.dropLast()), String(token.dropLast())), ("", ""), ("hoga_", "hoga_"),
            ("hoga_" + hangul, "hoga_" + hangul),
            ("Hoga_" + token.dropFirst(5), "Hoga_" + token.dropFirst(5)),
        ] {
            #expect(AccessToken.masked(text) == masked)
        }
    }

    @Test("masking removes a token from any surrounding text", arguments: 0..<100 as Range<UInt64>)
    func maskedAnywhere(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let token = AccessToken(randomBytes: bytes).text
        func words() -> String {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in
                ["h", "hoga", "_", "hoga_", "é", "/", "A", "%"].randomElement(using: &random)!
            }.joined()
        }
        let masked = AccessToken.masked(words() + token + words())
        #expect(!masked.contains(token.suffix(20)) && masked.contains("hoga_…"))
        #expect(AccessToken.masked(masked) == masked)
    }

    @Test("printing, reflecting or dumping a token does not reveal it")
    func secrecy() {
        let token = AccessToken(randomBytes: Array(1...32))
        var dumped = ""
        dump(token, to: &dumped)
        for words in ["\(token)", String(reflecting: token), dumped, String(describing: [token])] {
            #expect(!words.contains(token.text.suffix(40)))
        }
    }
}
