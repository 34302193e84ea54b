import TestSupport
import Testing

@testable import Domain
@testable import UseCases

@Suite("What is known of tokens counts for so long, and no stranger pushes out who is known")
struct TokenCacheTests {
    private static let now = Timestamp(microseconds: 1_000_000)
    private static let away = StoreFailure(.unavailable, "away")

    private static func grant(_ number: Int, expiresAt: Timestamp? = nil) -> TokenGrant {
        TokenGrant(
            user: UserID(Int64(number)),
            name: "user\(number)",
            scope: .read,
            expiresAt: expiresAt
        )
    }

    /// What a verdict says in a word.
    private static func word(_ verdict: TokenCache.Verdict) -> String {
        switch verdict {
        case .open(let grant): "open \(grant.user.number)"
        case .shut: "shut"
        case .failed(let failure): "failed \(failure.code.rawValue)"
        case .unknown: "unknown"
        }
    }

    private static func shown(
        _ tokens: inout TokenCache,
        _ number: Int,
        at milliseconds: Int
    ) -> String {
        word(
            tokens.show(TokenHash(number: number), at: .milliseconds(milliseconds), now: now)
        )
    }

    private static func known(_ numbers: ClosedRange<Int>, at time: Duration) -> TokenCache {
        var tokens = TokenCache()
        for number in numbers {
            _ = tokens.show(TokenHash(number: number), at: time, now: now)
            let batch = tokens.nextBatch(at: time)
            tokens.take(batch.map { ($0, grant(number)) }, askedAt: time)
        }
        return tokens
    }

    @Test("An answer counts for a second from the question, and the token is asked for once")
    func second() {
        var tokens = Self.known(1...1, at: .zero)
        #expect(Self.shown(&tokens, 1, at: 999) == "open 1")
        #expect(tokens.nextBatch(at: .milliseconds(999)).isEmpty)
        #expect(Self.shown(&tokens, 1, at: 1_000) == "unknown")
        #expect(Self.shown(&tokens, 1, at: 1_000) == "unknown")
        #expect(tokens.nextBatch(at: .seconds(1)) == [TokenHash(number: 1)])
        #expect(tokens.nextBatch(at: .seconds(1)).isEmpty)
        tokens.take([(TokenHash(number: 1), nil)], askedAt: .seconds(1))
        #expect(Self.shown(&tokens, 1, at: 1_001) == "shut")
    }

    @Test("While the store fails a known token stays good for a minute, and a stranger is told so")
    func away() {
        var tokens = Self.known(1...1, at: .zero)
        tokens.fail([], Self.away, at: .milliseconds(59_500))
        #expect(Self.shown(&tokens, 1, at: 59_999) == "open 1")
        #expect(Self.shown(&tokens, 2, at: 59_999) == "failed unavailable")
        #expect(Self.shown(&tokens, 1, at: 60_000) == "failed unavailable")
        // A second after a failure the store is asked again.
        #expect(Self.shown(&tokens, 1, at: 60_500) == "unknown")
        #expect(Self.shown(&tokens, 2, at: 60_500) == "unknown")
    }

    @Test("While the store hangs, a known token waits a second for it and no longer")
    func hanging() {
        var tokens = Self.known(1...1, at: .zero)
        _ = tokens.show(TokenHash(number: 2), at: .seconds(5), now: Self.now)
        #expect(tokens.nextBatch(at: .seconds(5)).count == 1)
        #expect(Self.shown(&tokens, 1, at: 5_999) == "unknown")
        #expect(Self.shown(&tokens, 1, at: 6_000) == "open 1")
        #expect(Self.shown(&tokens, 2, at: 6_000) == "unknown")
    }

    @Test("A token that ends while the store is away is shut by the local clock")
    func ends() {
        var tokens = TokenCache()
        let token = TokenHash(number: 1)
        _ = tokens.show(token, at: .zero, now: Self.now)
        _ = tokens.nextBatch(at: .zero)
        tokens.take([(token, Self.grant(1, expiresAt: Self.now))], askedAt: .zero)
        tokens.fail([], Self.away, at: .seconds(2))
        #expect(Self.shown(&tokens, 1, at: 2_000) == "shut")
    }

    @Test("Tokens in use are looked up before their answers are too old, others are left alone")
    func ahead() {
        var tokens = Self.known(1...2, at: .zero)
        _ = Self.shown(&tokens, 1, at: 400)
        tokens.lookAhead(at: .milliseconds(499))
        #expect(tokens.nextBatch(at: .milliseconds(499)).isEmpty)
        tokens.lookAhead(at: .milliseconds(500))
        #expect(Set(tokens.nextBatch(at: .milliseconds(500))).count == 2)
        tokens.take([(TokenHash(number: 1), Self.grant(1))], askedAt: .milliseconds(500))
        tokens.take([(TokenHash(number: 2), Self.grant(2))], askedAt: .milliseconds(500))
        // Nobody has shown the second for three seconds, and a stream needs neither.
        tokens.lookAhead(at: .milliseconds(3_200))
        #expect(tokens.nextBatch(at: .milliseconds(3_200)) == [TokenHash(number: 1)])
        tokens.take([(TokenHash(number: 1), Self.grant(1))], askedAt: .milliseconds(3_200))
        tokens.pin(TokenHash(number: 2))
        tokens.lookAhead(at: .seconds(60))
        #expect(tokens.nextBatch(at: .seconds(60)) == [TokenHash(number: 2)])
        tokens.take([(TokenHash(number: 2), Self.grant(2))], askedAt: .seconds(60))
        tokens.unpin(TokenHash(number: 2))
        tokens.lookAhead(at: .seconds(70))
        #expect(tokens.nextBatch(at: .seconds(70)).isEmpty)
    }

    @Test("Strangers without number push out no token that opens something, and are bounded")
    func strangers() {
        var tokens = Self.known(1...50, at: .zero)
        for number in 1_000...9_000 {
            let milliseconds = number / 100
            let token = TokenHash(number: number)
            _ = tokens.show(token, at: .milliseconds(milliseconds), now: Self.now)
            for batch in [tokens.nextBatch(at: .milliseconds(milliseconds))] {
                tokens.take(batch.map { ($0, nil) }, askedAt: .milliseconds(milliseconds))
            }
            #expect(tokens.count <= 50 + TokenCache.unknownMax)
        }
        for number in 1...50 { #expect(Self.shown(&tokens, number, at: 500) == "open \(number)") }
    }

    @Test("When all places of strangers are waited for, the next one is told to come again")
    func crowd() {
        var tokens = TokenCache()
        for number in 1...TokenCache.unknownMax {
            #expect(Self.shown(&tokens, number, at: 0) == "unknown")
        }
        #expect(Self.shown(&tokens, 0, at: 0) == "failed busy")
        var count = 0
        while true {
            let batch = tokens.nextBatch(at: .zero)
            if batch.isEmpty { break }
            #expect(batch.count <= TokenCache.batchMax)
            count += batch.count
        }
        #expect(count == TokenCache.unknownMax)
    }

    @Test("Known tokens are bounded, and those in use and those with streams stay")
    func bounded() {
        let limit = TokenCache.openMax
        var tokens = TokenCache()
        for number in 1...(limit + 1_000) {
            let time = Duration.milliseconds(number)
            _ = tokens.show(TokenHash(number: number), at: time, now: Self.now)
            tokens.take(tokens.nextBatch(at: time).map { ($0, Self.grant(number)) }, askedAt: time)
            if number == 1 { tokens.pin(TokenHash(number: 1)) }
            #expect(tokens.count <= limit)
        }
        let end = limit + 1_000
        #expect(tokens.worth(of: TokenHash(number: 1), at: .seconds(9), now: Self.now) != nil)
        #expect(Self.shown(&tokens, end, at: end) == "open \(end)")
        #expect(tokens.worth(of: TokenHash(number: 2), at: .seconds(9), now: Self.now) == nil)
    }

    @Test("Hashes are the same when all their bytes are, and show none of them")
    func hashes() {
        var random = SeededGenerator(seed: 3)
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(TokenHash(bytes).bytes == bytes)
        for place in 0..<32 {
            var others = bytes
            others[place] ^= 1
            #expect(TokenHash(others) != TokenHash(bytes))
        }
        #expect("\(TokenHash(bytes))" == "SHA-256 of a token")
        #expect(Mirror(reflecting: TokenHash(bytes)).children.isEmpty)
    }
}
