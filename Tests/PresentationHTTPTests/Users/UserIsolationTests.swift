import Dispatch
import Domain
import Synchronization
import TestSupport
import Testing
import UseCases

@Suite("No document contains another user's data", .tags(.threads))
struct UserIsolationTests {
    private static let userCount: Int64 = 6
    private static let paths = [
        "/v1/me", "/v1/me/favorites", "/v1/me/holdings", "/v1/me/cash", "/v1/me/portfolio",
        "/v1/me/markets", "/v1/me/markets?tab=favorites", "/v1/me/settings",
        "/v1/me/tokens", "/v1/me/webhook",
    ]

    /// The texts that only other users' data contain.
    private static func foreignUsers(in text: String, for user: Int64) -> [Int64] {
        (1...userCount).filter { other in
            other != user
                && [
                    "user\(other)x", "MARK\(other)X", "7700\(other)77", "\"u\(other)-",
                    "-u\(other)-",
                ]
                .contains { text.contains($0) }
        }
    }

    /// A value that only this user stores.
    private static func change(_ user: Int64, _ number: Int) -> (String, String, String?) {
        switch number % 4 {
        case 0: ("PATCH", "/v1/me", "{\"displayName\":\"user\(user)x\"}")
        case 1: ("PUT", "/v1/me/favorites/MARK\(user)X_KRW", nil)
        case 2:
            (
                "PUT", "/v1/me/holdings/MARK\(user)X", "{\"quantity\":\"1\",\"averagePrice\":null}"
            )
        default: ("PUT", "/v1/me/cash", "{\"amount\":\"7700\(user)77\"}")
        }
    }

    /// The coins that one user each holds.
    private static var names: CoinNames {
        let symbols = (1...userCount).map { "MARK\($0)X" }
        return CoinNames(
            Dictionary(
                uniqueKeysWithValues: symbols.map {
                    ($0, CoinNames.Entry(symbol: $0, korean: "표시", english: ""))
                }
            )
        )
    }

    /// A client that sends random requests with the tokens of all users.
    private static func roam(_ served: ServedUsers, seed: UInt64) throws -> Int {
        var random = SeededGenerator(seed: seed)
        let client = try served.client()
        var checkedCount = 0
        for step in 0..<120 {
            let user = Int64.random(in: 1...userCount, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3:
                let (method, path, body) = change(user, Int.random(in: 0..<4, using: &random))
                let answer = try client.ask(method, path, as: Int(user), body: body)
                #expect(foreignUsers(in: answer.text, for: user).isEmpty)
            case 3: served.publish { $0.trade("BTC_KRW", "91000000", "0.1", .buy) }
            case 4: served.store.notify(.anybody)
            case 5 where step % 3 == 0:
                // The token now belongs to another user.
                let token = 100 + Int(user)
                served.addToken(token, of: user)
                let answer = try client.ask("GET", "/v1/me", as: token)
                if answer.status == 200 {
                    #expect(foreignUsers(in: answer.text, for: user).isEmpty)
                }
                served.revoke(token)
            default:
                let path = paths[Int.random(in: 0..<paths.count, using: &random)]
                let answer = try client.ask("GET", path, as: Int(user))
                #expect(answer.status == 200 || answer.status == 401)
                #expect(foreignUsers(in: answer.text + answer.tag, for: user).isEmpty)
                checkedCount += answer.status == 200 ? 1 : 0
            }
        }
        return checkedCount
    }

    @Test(
        "concurrent requests of several users get documents of their own data only",
        arguments: [1, 2, 3]
    )
    func interleaved(seed: UInt64) async throws {
        try await ServedUsers.with(users: Int(Self.userCount)) { served in
            served.publish { $0.applyReference(.names(Self.names)) }
            // Unlisted markets, so that no list of another user has them.
            for user in 1...Self.userCount {
                try served.store.changeElsewhere(
                    .addFavorite(MarketID(stringLiteral: "MARK\(user)X_KRW")),
                    of: UserID(user)
                )
                let set = try served.client().ask(
                    "PUT",
                    "/v1/me/webhook",
                    as: Int(user),
                    body: #"{"url":"https://user\#(user)x.example/"}"#
                )
                #expect(set.status == 201)
            }
            // One user is removed meanwhile.
            try withThreads(count: 4) { lane in
                let checkedCount = try Self.roam(served, seed: seed * 100 + UInt64(lane))
                #expect(checkedCount > 20)
                if lane == 0 { served.store.removeUser(UserID(Self.userCount)) }
            }
        }
    }
}

/// Runs a body on several threads and waits for them.
private func withThreads(
    count: Int,
    _ body: @escaping @Sendable (Int) throws -> Void
) throws {
    let outcome = ThreadOutcome()
    DispatchQueue.concurrentPerform(iterations: count) { lane in
        do { try body(lane) } catch { outcome.take(error) }
    }
    if let error = outcome.error { throw error }
}

/// The first error of some threads.
private final class ThreadOutcome: Sendable {
    private let state = Mutex<(any Error)?>(nil)

    var error: (any Error)? { state.withLock { $0 } }

    func take(_ error: any Error) { state.withLock { $0 = $0 ?? error } }
}
