import Domain
import TestSupport
import Testing

@Suite("A token lives as long as was written, to the microsecond")
struct TokenLifetimeTests {
    @Test(
        "Times as people write them",
        arguments: [
            ("1s", 1), ("90m", 5_400), ("12h", 43_200), ("90d", 7_776_000), ("007d", 604_800),
            ("365d", 31_536_000), ("3650d", 315_360_000), ("315360000s", 315_360_000),
        ]
    )
    func read(text: String, seconds: Int) {
        #expect(TokenLifetime(text) == .limited(.seconds(seconds)))
    }

    @Test(
        "What is no time, or one that is too short or too long",
        arguments: [
            "", "d", "90", "90 d", "-1d", "+1d", "1.5d", "0d", "0s", "3651d", "315360001s", "1w",
            "1D", "Never", "１d", "99999999999999999999d", "9223372036854775807d", "1d ",
        ]
    )
    func refused(text: String) { #expect(TokenLifetime(text) == nil) }

    @Test("Its end is its beginning and its life; without an end there is none", arguments: 0..<30)
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

    @Test("A token opens something until the moment of its end, not in it")
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
