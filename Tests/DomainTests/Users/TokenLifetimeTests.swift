import Domain
import TestSupport
import Testing

@Suite("Token lifetime: parsing and expiry to the microsecond")
struct TokenLifetimeTests {
    @Test(
        "a number with a unit of seconds, minutes, hours or days is parsed",
        arguments: [
            ("1s", 1), ("90m", 5_400), ("12h", 43_200), ("90d", 7_776_000), ("007d", 604_800),
            ("365d", 31_536_000), ("3650d", 315_360_000), ("315360000s", 315_360_000),
        ]
    )
    func read(text: String, seconds: Int) {
        #expect(TokenLifetime(text) == .limited(.seconds(seconds)))
    }

    @Test(
        "an invalid or out-of-range lifetime is rejected",
        arguments: [
            "", "d", "90", "90 d", "-1d", "+1d", "1.5d", "0d", "0s", "3651d", "315360001s", "1w",
            "1D", "Never", "１d", "99999999999999999999d", "9223372036854775807d", "1d ",
        ]
    )
    func refused(text: String) { #expect(TokenLifetime(text) == nil) }

    @Test("a token ends at its start plus its lifetime; 'never' has no end", arguments: 0..<30)
    func end(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let start = Timestamp(
            microseconds: .random(in: 0...4_000_000_000_000_000, using: &random)
        )
        let seconds = Int.random(in: 1...315_360_000, using: &random)
        let end = TokenLifetime("\(seconds)s")?.end(from: start)
        #expect(end?.microseconds == start.microseconds + Int64(seconds) * 1_000_000)
        #expect(TokenLifetime("never")?.end(from: start) == nil)
        #expect(TokenLifetime.standard == TokenLifetime("365d"))
    }

    @Test("a token is valid before its end and invalid from then on")
    func isOpen() {
        var grant = TokenGrant(
            user: .local,
            name: "kim",
            scope: .read,
            expiresAt: Timestamp(microseconds: 10)
        )
        #expect(grant.isValid(at: Timestamp(microseconds: 9)))
        #expect(!grant.isValid(at: Timestamp(microseconds: 10)))
        grant.expiresAt = nil
        #expect(grant.isValid(at: Timestamp(microseconds: .max)))
        #expect(!TokenScope.read.allowsChanges && TokenScope.write.allowsChanges)
    }
}
