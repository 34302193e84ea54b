import DataSourceContracts
import TestSupport
import Testing

@Suite("User accounts and tokens of every store")
struct UserAccountContractTests {
    private static let now = UserStand.now
    /// Over by any server clock of this century; `future` is not.
    private static let past = now - 400 * 86_400_000_000
    private static let future = now + 40_000 * 86_400_000_000

    private static func token(
        _ byte: UInt8,
        scope: String = "write",
        expiresAt: Int64? = nil
    ) -> NewTokenDTO {
        NewTokenDTO(
            sha256: Array(repeating: byte, count: 32),
            scope: scope,
            madeAt: past - 1,
            expiresAt: expiresAt
        )
    }

    // MARK: Tokens

    @Test("a token grants its scope to its owner", arguments: UserStoreSubject.allCases)
    func grant(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let new = Self.token(1, scope: "read", expiresAt: Self.future)
            let token = try await stand.users.addToken(new, of: "local", limit: 9)
            #expect(token.number >= 1)
            #expect(token.scope == "read" && token.madeAt == new.madeAt)
            #expect(token.expiresAt == Self.future && token.usedAt == nil)
            let grant = try await stand.tokens.grant(sha256: new.sha256, at: Self.now)
            #expect(
                grant
                    == TokenGrantDTO(
                        token: token.number,
                        user: 1,
                        name: "local",
                        scope: "read",
                        expiresAt: Self.future
                    )
            )
            let kept = try await stand.users.tokens(of: "local")
            #expect(kept.map(\.number) == [token.number])
            #expect(kept[0].usedAt != nil)
            #expect(try await stand.opens(1))
            #expect(try await stand.users.tokens(of: "local") == kept)
        }
    }

    @Test(
        "a lookup of several tokens answers as single lookups do",
        arguments: UserStoreSubject.allCases
    )
    func grants(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            for byte: UInt8 in [1, 2, 3] {
                let expiresAt = byte == 2 ? Self.past : nil
                let token = Self.token(byte, expiresAt: expiresAt)
                _ = try await stand.users.addToken(token, of: "local", limit: 9)
            }
            let asked: [UInt8] = [9, 3, 2, 0xab, 1]
            let hashes = asked.map { [UInt8](repeating: $0, count: 32) }
            let together = try await stand.tokens.grants(sha256s: hashes, at: Self.now)
            var alone: [TokenGrantDTO?] = []
            for hash in hashes {
                alone.append(try await stand.tokens.grant(sha256: hash, at: Self.now))
            }
            #expect(together == alone)
            #expect(together.map { $0 != nil } == [false, true, false, false, true])
            let used = try await stand.users.tokens(of: "local").map { $0.usedAt != nil }
            #expect(used == [true, false, true])
            #expect(try await stand.tokens.grants(sha256s: [], at: Self.now).isEmpty)
        }
    }

    @Test("an unknown, expired or revoked token is invalid", arguments: UserStoreSubject.allCases)
    func noGrant(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let users = stand.users
            _ = try await users.addToken(Self.token(1, expiresAt: Self.past), of: "local", limit: 9)
            let token = try await users.addToken(Self.token(2), of: "local", limit: 9)
            #expect(try await !stand.opens(1))
            #expect(try await !stand.opens(3))
            #expect(try await stand.tokens.grant(sha256: [], at: Self.now) == nil)
            #expect(try await stand.opens(2))
            try await users.revokeToken(number: token.number, at: 7)
            #expect(try await !stand.opens(2))
            try await users.revokeToken(number: token.number, at: 8)
            #expect(try await users.tokens(of: "local").map(\.revokedAt) == [nil, 7])
            let code = await StoreSubject.code { () throws(StoreError) in
                try await users.revokeToken(number: 99, at: 7)
            }
            #expect(code == .notFound)
        }
    }

    @Test(
        "tokens beyond the limit are refused, revoked ones not counted",
        arguments: UserStoreSubject.allCases
    )
    func limit(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let users = stand.users
            let first = try await users.addToken(Self.token(1), of: "local", limit: 2)
            let second = try await users.addToken(Self.token(2), of: "local", limit: 2)
            #expect(second.number > first.number)
            let code = await StoreSubject.code { () throws(StoreError) in
                try await users.addToken(Self.token(3), of: "local", limit: 2)
            }
            #expect(code == .tooMany)
            #expect(try await !stand.opens(3))
            try await users.revokeToken(number: first.number, at: 7)
            let third = try await users.addToken(Self.token(3), of: "local", limit: 2)
            #expect(third.number > second.number)
            for name in ["", "nobody", "LOCAL"] {
                let code = await StoreSubject.code { () throws(StoreError) in
                    try await users.addToken(Self.token(4), of: name, limit: 2)
                }
                #expect(code == .notFound)
            }
        }
    }

    @Test(
        "a rotated token is revoked at once, or valid until the overlap ends",
        arguments: UserStoreSubject.allCases
    )
    func rotating(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let users = stand.users
            let first = try await users.addToken(Self.token(1), of: "local", limit: 2)
            let second = try await users.rotateToken(
                number: first.number,
                until: 3,
                at: 3,
                limit: 1
            ) { former in
                var token = Self.token(2)
                token.scope = former.scope
                return token
            }
            #expect(second.number > first.number && second.scope == first.scope)
            #expect(try await !stand.opens(1))
            #expect(try await stand.opens(2))
            let far: Int64 = 4_000_000_000_000_000
            let code = await StoreSubject.code { () throws(StoreError) in
                _ = try await users.rotateToken(
                    number: second.number,
                    until: far,
                    at: 4,
                    limit: 1
                ) { _ in Self.token(3) }
            }
            #expect(code == .tooMany)
            #expect(try await users.tokens(of: "local").map(\.expiresAt) == [nil, nil])
            _ = try await users.rotateToken(number: second.number, until: far, at: 4, limit: 2) {
                _ in Self.token(3)
            }
            #expect(try await stand.opens(2))
            #expect(try await stand.opens(3))
            let tokens = try await users.tokens(of: "local")
            #expect(tokens.map(\.expiresAt) == [nil, far, nil])
            #expect(tokens.map(\.revokedAt) == [3, nil, nil])
            for (number, expected) in [(first.number, StoreError.Code.refused), (99, .notFound)] {
                let code = await StoreSubject.code { () throws(StoreError) in
                    _ = try await users.rotateToken(number: number, until: 5, at: 5, limit: 9) {
                        _ in Self.token(4)
                    }
                }
                #expect(code == expected)
            }
            #expect(try await users.tokens(of: "local").count == 3)
        }
    }

    // MARK: Users

    @Test("user names are compared byte for byte", arguments: UserStoreSubject.shared)
    func adding(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let users = stand.users
            var expected = ["local"]
            for (index, name) in ["kim", "KIM", "e\u{301}", "\u{e9}", "호가"].enumerated() {
                let user = try await users.addUser(name: name, at: Int64(index))
                #expect(Array(user.name.utf8) == Array(name.utf8))
                #expect(user.number == Int64(index + 2) && !user.isDisabled)
                #expect(user.addedAt == Int64(index))
                expected.append(name)
                let code = await StoreSubject.code { () throws(StoreError) in
                    try await users.addUser(name: name, at: 1)
                }
                #expect(code == .conflict)
            }
            let names = try await users.users().map(\.name)
            #expect(bytes(of: names) == bytes(of: expected))
        }
    }

    @Test(
        "many users are added in their order, or none if one exists",
        arguments: UserStoreSubject.shared
    )
    func importing(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let users = stand.users
            let new = (1...1_000).map { number in
                NewUserDTO(
                    name: "user\(number) \\",
                    displayName: number.isMultiple(of: 2) ? "이름, \"\(number)\"" : nil
                )
            }
            #expect(try await users.addUsers(new, at: 7).isEmpty)
            let rows = try await users.users()
            #expect(rows.dropFirst().map(\.name) == new.map(\.name))
            #expect(rows.dropFirst().allSatisfy { $0.addedAt == 7 && !$0.isDisabled })
            for number in [2, 3] {
                let record = try await stand.personal.record(of: rows[number].number)
                #expect(record.displayName == new[number - 1].displayName)
            }
            let more = [NewUserDTO(name: "lee", displayName: nil), new[0], new[999]]
            let existing = try await users.addUsers(more, at: 8)
            #expect(Set(existing) == [new[0].name, new[999].name])
            #expect(try await users.users() == rows)
            #expect(try await users.addUsers([], at: 9).isEmpty)
        }
    }

    @Test(
        "the tokens of a disabled user are invalid until the user is enabled",
        arguments: UserStoreSubject.shared
    )
    func disabling(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let users = stand.users
            _ = try await users.addUser(name: "kim", at: 1)
            _ = try await users.addToken(Self.token(1), of: "kim", limit: 9)
            _ = try await users.addToken(Self.token(2), of: "local", limit: 9)
            for isDisabled in [true, true, false, false] {
                try await users.setUser(name: "kim", isDisabled: isDisabled)
                #expect(try await users.users().map(\.isDisabled) == [false, isDisabled])
                #expect(try await stand.opens(1) == !isDisabled)
                #expect(try await stand.opens(2))
            }
            let code = await StoreSubject.code { () throws(StoreError) in
                try await users.setUser(name: "nobody", isDisabled: true)
            }
            #expect(code == .notFound)
        }
    }

    @Test(
        "removing a user removes all data of that user only",
        arguments: UserStoreSubject.shared
    )
    func removing(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let users = stand.users
            let kim = try await users.addUser(name: "kim", at: 1)
            for user in [1, kim.number] {
                _ = try await stand.personal.write(.putCash("\(user)"), user: user, at: 1)
                _ = try await stand.personal.write(
                    .addFavorite("A_KRW", limit: 9),
                    user: user,
                    at: 2
                )
            }
            _ = try await users.addToken(Self.token(1), of: "kim", limit: 9)
            _ = try await users.addToken(Self.token(2), of: "local", limit: 9)
            let other = try await users.export(name: "local")
            try await users.removeUser(name: "kim")
            #expect(try await !stand.opens(1))
            #expect(try await users.export(name: "local") == other)
            #expect(try await users.users().map(\.name) == ["local"])
            for call in 0..<4 {
                let code = await StoreSubject.code { () throws(StoreError) in
                    switch call {
                    case 0: try await users.removeUser(name: "kim")
                    case 1: _ = try await users.export(name: "kim")
                    case 2: _ = try await users.tokens(of: "kim")
                    default: _ = try await stand.personal.record(of: kim.number)
                    }
                }
                #expect(code == (call == 3 ? .unavailable : .notFound))
            }
            // The number is not reused.
            #expect(try await users.addUser(name: "kim", at: 1).number > kim.number)
            #expect(try await users.export(name: "kim").journal == [])
        }
    }

    @Test("an export equals what the other calls read", arguments: UserStoreSubject.allCases)
    func export(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            for write in [
                TestChange.replaceFavorites(["B_KRW", "A_KRW"], expecting: nil),
                .putSettings(UserRecordSamples.settings, expecting: nil),
                .putHolding(.init(asset: "A", quantity: "2.5", averagePrice: "7"), limit: 9),
                .putCash("7"), .putDisplayName("이름"),
            ] { _ = try await stand.personal.write(write, user: 1, at: 3) }
            _ = try await stand.users.addToken(Self.token(1), of: "local", limit: 9)
            let export = try await stand.users.export(name: "local")
            #expect(export.user == (try await stand.users.users()[0]))
            #expect(export.personal == (try await stand.personal.record(of: 1)))
            #expect(export.tokens == (try await stand.users.tokens(of: "local")))
            let journal = try await stand.personal.journal(user: 1, newest: 99)
            #expect(export.journal == journal.reversed() && journal.count == 5)
        }
    }
}
