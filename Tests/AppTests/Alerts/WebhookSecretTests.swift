import Cryptography
import Domain
import Testing

@testable import App

@Suite("Secrets of webhooks are encrypted with the operator's keys")
struct WebhookSecretTests {
    private static func line(_ byte: UInt8) -> String {
        Cryptography.base64([UInt8](repeating: byte, count: 32))
    }

    private static func keys(_ bytes: UInt8...) throws -> WebhookKeys {
        try WebhookKeys(parsing: bytes.map(line).joined(separator: "\n"))
    }

    @Test("a secret opens for its user with any of the keys, and signs the same")
    func rotation() throws {
        let secret = WebhookSecret.random()
        let sealed = secret.sealed(for: UserID(7), with: try Self.keys(1))
        for keys in [try Self.keys(1), try Self.keys(2, 1), try Self.keys(3, 2, 1)] {
            let opened = WebhookSecret(opening: sealed, of: UserID(7), with: keys)
            #expect(opened == secret)
            #expect(opened?.signature(of: "a") == secret.signature(of: "a"))
        }
        #expect(WebhookSecret(opening: sealed, of: UserID(7), with: try Self.keys(2, 3)) == nil)
        let renewed = secret.sealed(for: UserID(7), with: try Self.keys(2, 1))
        #expect(WebhookSecret(opening: renewed, of: UserID(7), with: try Self.keys(2)) == secret)
        #expect(WebhookSecret(opening: renewed, of: UserID(7), with: try Self.keys(1)) == nil)
    }

    @Test("another user's secret and changed bytes do not open")
    func changes() throws {
        let keys = try Self.keys(1, 2)
        let sealed = WebhookSecret.random().sealed(for: UserID(7), with: keys)
        #expect(WebhookSecret(opening: sealed, of: UserID(8), with: keys) == nil)
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                #expect(WebhookSecret(opening: changed, of: UserID(7), with: keys) == nil)
            }
            let short = Array(sealed[..<index])
            #expect(WebhookSecret(opening: short, of: UserID(7), with: keys) == nil)
        }
        #expect(WebhookSecret(opening: sealed + [0], of: UserID(7), with: keys) == nil)
    }

    @Test("each secret is new, has 32 bytes in its text form, and no description shows it")
    func text() throws {
        let (one, other) = (WebhookSecret.random(), WebhookSecret.random())
        #expect(one != other && one.text != other.text)
        let digits = String(one.text.dropFirst(WebhookSecret.prefix.count))
        let bytes = try #require(Cryptography.bytes(base64: digits))
        #expect(one.text.hasPrefix("whsec_") && bytes.count == 32)
        let code = Cryptography.hmacSHA256(of: Array("id.1.{}".utf8), key: bytes)
        #expect(one.signature(of: "id.1.{}") == Cryptography.base64(code))
        let keys = try Self.keys(65)
        for shown in ["\(one)", String(reflecting: one), "\(keys)", String(reflecting: keys)] {
            #expect(!shown.contains(digits) && !shown.contains("65") && shown.contains("…"))
        }
    }

    @Test("keys are lines of Base64; blank lines and white space around them do not count")
    func parsing() throws {
        let text = "\n  \(Self.line(1))\t\r\n\n\(Self.line(2)) \n"
        #expect(try WebhookKeys(parsing: text) == Self.keys(1, 2))
        #expect(try WebhookKeys(parsing: text) != Self.keys(2, 1))
    }

    @Test(
        "another line is refused by its number and never shown",
        arguments: [
            ("", 1), ("\n\n", 1), ("s3cret", 1), ("\n\ns3cret", 3),
            (line(1) + "\n" + line(2).dropLast(), 2), (line(1) + line(2), 1),
            (line(1) + " s3cret", 1), (Cryptography.base64([1, 2, 3]), 1),
            (Cryptography.base64([UInt8](repeating: 1, count: 31)), 1),
            (Cryptography.base64([UInt8](repeating: 1, count: 33)), 1),
        ] as [(String, Int)]
    )
    func invalid(text: String, line: Int) {
        let error = #expect(throws: WebhookKeys.ParseError.self) {
            try WebhookKeys(parsing: text)
        }
        #expect(error?.line == line)
        #expect(error?.detail.contains("openssl rand -base64 32") == true)
        #expect(error?.detail.contains("s3cret") == false)
    }
}
