import Domain
import TestSupport
import Testing

@testable import UseCases

@Suite("Token lookups")
struct TokenVerifierTests {
    private static let away = StoreFailure(.unavailable, "away")

    @Test("Waiting callers share one lookup")
    func together() async throws {
        let bench = UserStateBench(users: 100)
        bench.store.hold()
        try await bench.drive {
            // The first lookup is in flight when the other callers arrive.
            var answers = [bench.grant(1)]
            for number in 2...100 { answers.append(bench.grant(number)) }
            for number in 1...100 { answers.append(bench.grant(number)) }
            #expect(answers.allSatisfy { $0.value == nil && $0.failure == nil })
            bench.store.letGo()
            bench.tasks.settle()
            let users = answers.map { $0.value?.user.number }
            #expect(users == (1...100).map { Int64($0) } + (1...100).map { Int64($0) })
            #expect(bench.store.counts.lookUps == 2)
        }
    }

    @Test("A thousand active tokens cost a few lookups a second, and no caller waits")
    func thousand() async throws {
        let bench = UserStateBench(users: 1_000)
        try await bench.drive {
            for number in 1...1_000 { _ = bench.grant(number) }
            bench.tasks.advance(by: .seconds(1))
            let before = bench.store.counts.lookUps
            var waits = 0
            for _ in 0..<10 {
                for number in 1...1_000 {
                    if bench.tokens.known(TokenHash(number: number)) == nil { waits += 1 }
                    if number % 100 == 0 { bench.tasks.advance(by: .milliseconds(100)) }
                }
            }
            #expect(waits == 0)
            #expect(bench.store.counts.lookUps - before <= 160)
        }
    }

    @Test("A revoked token is invalid a second later, in use or not")
    func revoked() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            #expect(bench.grant(1).value != nil)
            bench.store.revoke(TokenHash(number: 1))
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.grant(1).failure == .unauthorized)
            #expect(bench.grant(3).failure == .unauthorized)
        }
    }

    @Test("While the store is unreachable, a known token stays valid for a minute")
    func away() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            #expect(bench.grant(1).value != nil)
            bench.store.fail(Self.away)
            bench.tasks.advance(by: .seconds(50))
            #expect(bench.grant(1).value?.user == UserID(1))
            #expect(bench.grant(2).failure == .unavailable)
            bench.tasks.advance(by: .seconds(10))
            #expect(bench.grant(1).failure == .unavailable)
            bench.store.fail(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.grant(1).value != nil)
            #expect(bench.grant(2).value != nil)
        }
    }

    @Test("A watched token is looked up without being used")
    func watched() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            let token = TokenHash(number: 1)
            #expect(bench.grant(1).value != nil)
            bench.tokens.watch(token)
            bench.tasks.advance(by: .seconds(120))
            #expect(bench.tokens.isValid(token))
            bench.store.revoke(token)
            bench.tasks.advance(by: .seconds(1))
            #expect(!bench.tokens.isValid(token))
            bench.tokens.unwatch(token)
        }
    }

    @Test("A thousand idle streams cost one lookup a minute each while news are current")
    func idle() async throws {
        let bench = UserStateBench(users: 1_000)
        try await bench.drive {
            bench.store.notify(.anybody)
            for number in 1...1_000 {
                _ = bench.grant(number)
                bench.tokens.watch(TokenHash(number: number))
            }
            bench.passWithNews(seconds: 10)
            let before = bench.store.counts.lookUps
            bench.passWithNews(seconds: 300)
            // Four batches a minute.
            #expect((16...24).contains(bench.store.counts.lookUps - before))
            for number in 1...1_000 { #expect(bench.tokens.isValid(TokenHash(number: number))) }
        }
    }

    @Test("A revocation that news tell ends an idle token with the next lookup")
    func revokedByNews() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            bench.store.notify(.anybody)
            for number in 1...2 {
                _ = bench.grant(number)
                bench.tokens.watch(TokenHash(number: number))
            }
            bench.passWithNews(seconds: 20)
            bench.store.revoke(TokenHash(number: 1))
            bench.store.notify(.access([UserID(1)]))
            bench.tasks.advance(by: TokenVerifier.refreshInterval)
            #expect(!bench.tokens.isValid(TokenHash(number: 1)))
            #expect(bench.tokens.isValid(TokenHash(number: 2)))
        }
    }

    @Test("A revocation ends an idle token within five seconds after news have ceased")
    func revokedWithoutNews() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            bench.store.notify(.anybody)
            _ = bench.grant(1)
            bench.tokens.watch(TokenHash(number: 1))
            bench.passWithNews(seconds: 20)
            bench.store.revoke(TokenHash(number: 1))
            bench.tasks.advance(by: .seconds(5))
            #expect(!bench.tokens.isValid(TokenHash(number: 1)))
        }
    }

    @Test("A caller that waits when the program ends gets a failure")
    func ending() async throws {
        let bench = UserStateBench()
        bench.store.hold()
        var answer: Answer<TokenGrant>?
        try await bench.drive {
            answer = bench.grant(1)
            _ = bench.grant(2)
            bench.store.fail(Self.away)
            bench.store.letGo()
        }
        #expect(answer?.failure == .unavailable)
    }
}
