import Domain
import TestSupport
import Testing

@testable import UseCases

@Suite("The token cache")
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

    /// A verdict as text.
    private static func word(_ verdict: TokenCache.Verdict) -> String {
        switch verdict {
        case .valid(let grant): "valid \(grant.user.number)"
        case .invalid: "invalid"
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
            tokens.use(TokenHash(number: number), at: .milliseconds(milliseconds), now: now)
        )
    }

    private static func known(_ numbers: ClosedRange<Int>, at time: Duration) -> TokenCache {
        var tokens = TokenCache()
        for number in numbers {
            _ = tokens.use(TokenHash(number: number), at: time, now: now)
            let batch = tokens.nextBatch(at: time)
            tokens.store(batch.map { ($0, grant(number)) }, askedAt: time)
        }
        return tokens
    }

    @Test("An answer is fresh for a second after the lookup began, and a token is queued once")
    func second() {
        var tokens = Self.known(1...1, at: .zero)
        #expect(Self.shown(&tokens, 1, at: 999) == "valid 1")
        #expect(tokens.nextBatch(at: .milliseconds(999)).isEmpty)
        #expect(Self.shown(&tokens, 1, at: 1_000) == "unknown")
        #expect(Self.shown(&tokens, 1, at: 1_000) == "unknown")
        #expect(tokens.nextBatch(at: .seconds(1)) == [TokenHash(number: 1)])
        #expect(tokens.nextBatch(at: .seconds(1)).isEmpty)
        tokens.store([(TokenHash(number: 1), nil)], askedAt: .seconds(1))
        #expect(Self.shown(&tokens, 1, at: 1_001) == "invalid")
    }

    @Test("While the store fails, a known token stays valid for a minute and an unknown one fails")
    func away() {
        var tokens = Self.known(1...1, at: .zero)
        tokens.fail([], Self.away, at: .milliseconds(59_500))
        #expect(Self.shown(&tokens, 1, at: 59_999) == "valid 1")
        #expect(Self.shown(&tokens, 2, at: 59_999) == "failed unavailable")
        #expect(Self.shown(&tokens, 1, at: 60_000) == "failed unavailable")
        // The store is asked again a second after the failure.
        #expect(Self.shown(&tokens, 1, at: 60_500) == "unknown")
        #expect(Self.shown(&tokens, 2, at: 60_500) == "unknown")
    }

    @Test("While the store hangs, a known token waits for it at most a second")
    func hanging() {
        var tokens = Self.known(1...1, at: .zero)
        _ = tokens.use(TokenHash(number: 2), at: .seconds(5), now: Self.now)
        #expect(tokens.nextBatch(at: .seconds(5)).count == 1)
        #expect(Self.shown(&tokens, 1, at: 5_999) == "unknown")
        #expect(Self.shown(&tokens, 1, at: 6_000) == "valid 1")
        #expect(Self.shown(&tokens, 2, at: 6_000) == "unknown")
    }

    @Test("A token that expires while the store is unreachable is invalid by the local clock")
    func expires() {
        var tokens = TokenCache()
        let token = TokenHash(number: 1)
        _ = tokens.use(token, at: .zero, now: Self.now)
        _ = tokens.nextBatch(at: .zero)
        tokens.store([(token, Self.grant(1, expiresAt: Self.now))], askedAt: .zero)
        tokens.fail([], Self.away, at: .seconds(2))
        #expect(Self.shown(&tokens, 1, at: 2_000) == "invalid")
    }

    @Test("Tokens in use are looked up ahead of time, others are not")
    func ahead() {
        var tokens = Self.known(1...2, at: .zero)
        _ = Self.shown(&tokens, 1, at: 400)
        tokens.refreshSoon(at: .milliseconds(499), now: Self.now)
        #expect(tokens.nextBatch(at: .milliseconds(499)).isEmpty)
        tokens.refreshSoon(at: .milliseconds(500), now: Self.now)
        #expect(Set(tokens.nextBatch(at: .milliseconds(500))).count == 2)
        tokens.store([(TokenHash(number: 1), Self.grant(1))], askedAt: .milliseconds(500))
        tokens.store([(TokenHash(number: 2), Self.grant(2))], askedAt: .milliseconds(500))
        // The second token was not used for three seconds and has no stream.
        tokens.refreshSoon(at: .milliseconds(3_200), now: Self.now)
        #expect(tokens.nextBatch(at: .milliseconds(3_200)) == [TokenHash(number: 1)])
        tokens.store([(TokenHash(number: 1), Self.grant(1))], askedAt: .milliseconds(3_200))
        tokens.pin(TokenHash(number: 2))
        tokens.refreshSoon(at: .seconds(60), now: Self.now)
        #expect(tokens.nextBatch(at: .seconds(60)) == [TokenHash(number: 2)])
        tokens.store([(TokenHash(number: 2), Self.grant(2))], askedAt: .seconds(60))
        tokens.unpin(TokenHash(number: 2))
        tokens.refreshSoon(at: .seconds(70), now: Self.now)
        #expect(tokens.nextBatch(at: .seconds(70)).isEmpty)
    }

    @Test("News make the answers about changed users stale, and confirm the others")
    func news() {
        var tokens = Self.known(1...2, at: .zero)
        tokens.receive(.anybody, at: .zero)
        tokens.receive(.current(age: .zero), at: .seconds(2))
        #expect(Self.shown(&tokens, 1, at: 2_000) == "unknown", "news began after the lookup")
        let batch = tokens.nextBatch(at: .seconds(3))
        tokens.store(batch.map { ($0, Self.grant(1)) }, askedAt: .seconds(3))
        tokens.receive(.current(age: .milliseconds(500)), at: .seconds(8))
        #expect(Self.shown(&tokens, 1, at: 10_499) == "valid 1")
        #expect(Self.shown(&tokens, 1, at: 10_500) == "unknown", "news are three seconds old")
        tokens.receive(.current(age: .zero), at: .seconds(11))
        tokens.receive(.users([UserID(1)]), at: .seconds(11))
        #expect(Self.shown(&tokens, 1, at: 11_000) == "valid 1")
        // Another lookup is in flight when access changes: its answer may be older.
        #expect(tokens.nextBatch(at: .milliseconds(11_500)) == [TokenHash(number: 1)])
        tokens.receive(.access([UserID(1)]), at: .milliseconds(11_600))
        tokens.store([(TokenHash(number: 1), Self.grant(1))], askedAt: .milliseconds(11_500))
        tokens.receive(.current(age: .zero), at: .seconds(12))
        #expect(Self.shown(&tokens, 1, at: 12_499) == "valid 1")
        #expect(Self.shown(&tokens, 1, at: 12_500) == "unknown")
    }

    @Test("Unknown tokens are bounded and evict no valid token")
    func unknown() {
        var tokens = Self.known(1...50, at: .zero)
        for number in 1_000...9_000 {
            let milliseconds = number / 100
            let token = TokenHash(number: number)
            _ = tokens.use(token, at: .milliseconds(milliseconds), now: Self.now)
            for batch in [tokens.nextBatch(at: .milliseconds(milliseconds))] {
                tokens.store(batch.map { ($0, nil) }, askedAt: .milliseconds(milliseconds))
            }
            #expect(tokens.count <= 50 + TokenCache.unknownMax)
        }
        for number in 1...50 { #expect(Self.shown(&tokens, number, at: 500) == "valid \(number)") }
    }

    @Test("An unknown token is refused while the cache is full of lookups")
    func full() {
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

    @Test("Valid tokens are bounded, and those in use or with a stream stay")
    func bounded() {
        let limit = TokenCache.validMax
        var tokens = TokenCache()
        for number in 1...(limit + 1_000) {
            let time = Duration.milliseconds(number)
            _ = tokens.use(TokenHash(number: number), at: time, now: Self.now)
            tokens.store(tokens.nextBatch(at: time).map { ($0, Self.grant(number)) }, askedAt: time)
            if number == 1 { tokens.pin(TokenHash(number: 1)) }
            #expect(tokens.count <= limit)
        }
        let end = limit + 1_000
        #expect(
            tokens.usableAnswer(for: TokenHash(number: 1), at: .seconds(9), now: Self.now) != nil
        )
        #expect(Self.shown(&tokens, end, at: end) == "valid \(end)")
        #expect(
            tokens.usableAnswer(for: TokenHash(number: 2), at: .seconds(9), now: Self.now) == nil
        )
    }

    @Test("Hashes are equal when all bytes are, and their description hides them")
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
