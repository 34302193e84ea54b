import Dispatch
import HTTPServer
import NetworkAddresses
import Synchronization
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Concurrent charges to one account", .tags(.threads))
struct RateAccountTests {
    private static let second: Int64 = 1_000_000_000
    private static let client = RateLimits.Key(NetworkAddress(203, 0, 113, 1))

    private let limits = RateLimits(
        configuration: .sample.with {
            $0.requestsPerClient = 30_000
            $0.notModifiedPerClient = 600
            $0.unknownTokensPerClient = 30
            $0.requestsPerToken = 60
        }
    )

    /// The remaining requests after each charge of eight threads with 10,000 charges each.
    private func take(
        _ kind: RateLimits.Kind,
        of key: RateLimits.Key,
        at now: Int64
    ) -> [Int] {
        let left = Mutex<[Int]>([])
        let account = limits.account(of: key)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            // Gathered apart: a lock between would keep the threads from meeting at the account.
            let own = (0..<10_000).compactMap { _ in
                let taken = limits.acquire(1, kind, of: account, at: now)
                return taken.isAllowed ? taken.remaining : nil
            }
            left.withLock { $0 += own }
        }
        return left.withLock { $0.sorted() }
    }

    @Test("concurrent charges take exactly the quota, then what refilled")
    func exact() {
        #expect(take(.request, of: Self.client, at: 0) == Array(0..<30_000))
        #expect(take(.request, of: Self.client, at: 0) == [])
        // Thirty thousand a minute are five hundred a second.
        #expect(take(.request, of: Self.client, at: 3 * Self.second) == Array(0..<1_500))
        #expect(take(.request, of: Self.client, at: 600 * Self.second) == Array(0..<30_000))
    }

    @Test("each kind, client and token has its own bucket")
    func apart() {
        let token = RateLimits.Key.token(1)
        let other = RateLimits.Key(NetworkAddress(203, 0, 113, 2))
        #expect(take(.notModified, of: Self.client, at: 0) == Array(0..<600))
        #expect(take(.request, of: Self.client, at: 0) == Array(0..<30_000))
        #expect(take(.unknownToken, of: Self.client, at: 0) == Array(0..<30))
        #expect(take(.request, of: token, at: 0) == Array(0..<60))
        #expect(take(.request, of: other, at: 0) == Array(0..<30_000))
    }

    @Test("lookups share an account until it is evicted")
    func lookUp() {
        let accounts = Mutex<[RateAccount]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let account = limits.account(of: Self.client)
            accounts.withLock { $0.append(account) }
        }
        let found = accounts.withLock { $0 }
        #expect(found.count == 8 && found.allSatisfy { $0 === found[0] })
        #expect(take(.request, of: Self.client, at: 0).count == 30_000)
        for number in 0..<RateLimits.entriesMax { _ = limits.account(of: .token(number)) }
        #expect(limits.account(of: Self.client) !== found[0], "forgotten")
    }
}
