import DataSourceContracts
import TestSupport
import Testing

@Suite("Every store lists, makes and revokes tokens for the owner of a token", .tags(.threads))
struct OwnTokenContractTests {
    private static let now = UserStand.now
    private static let hour: Int64 = 3_600_000_000
    /// A time that no clock of this century reaches.
    private static let future = now + 40_000 * 24 * hour
    private static let limits = TokenLimitsDTO(valid: 9, perDay: 9)

    private static func hash(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 32) }

    private static func token(
        _ byte: UInt8,
        scope: String = "write",
        madeAt: Int64 = now,
        expiresAt: Int64? = nil,
        note: String? = nil
    ) -> NewTokenDTO {
        NewTokenDTO(
            sha256: hash(byte),
            scope: scope,
            madeAt: madeAt,
            expiresAt: expiresAt,
            note: note
        )
    }

    /// The code of the error with which a token is made by another one; nil if it is made.
    private static func makingCode(
        _ stand: UserStand,
        _ new: NewTokenDTO,
        by byte: UInt8,
        limits: TokenLimitsDTO = limits
    ) async -> StoreError.Code? {
        await StoreSubject.code { () throws(StoreError) in
            _ = try await stand.tokens.addOwnToken(new, by: hash(byte), limits: limits)
        }
    }

    @Test(
        "a token that a token made is listed beside it, opens the data, and ends when revoked",
        arguments: UserStoreSubject.allCases
    )
    func life(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let tokens = stand.tokens
            let first = try await stand.users.addToken(
                Self.token(1, note: "노트북 \\ 1"),
                of: "local",
                limit: 9
            )
            let made = try await tokens.addOwnToken(
                Self.token(2, scope: "read", expiresAt: Self.future, note: "a 'b' \\0"),
                by: Self.hash(1),
                limits: Self.limits
            )
            #expect(made.number > first.number && made.scope == "read")
            #expect(made.expiresAt == Self.future && made.note == "a 'b' \\0")
            #expect(made.revokedAt == nil && made.usedAt == nil)
            for (asking, flags) in [(1, [true, false]), (2, [false, true])] as [(UInt8, [Bool])] {
                let rows = try await tokens.ownTokens(sha256: Self.hash(asking), at: Self.now)
                #expect(rows.map(\.token.number) == [first.number, made.number])
                #expect(rows.map(\.token.note) == ["노트북 \\ 1", "a 'b' \\0"])
                #expect(rows.map(\.isAsking) == flags)
            }
            #expect(try await stand.users.tokens(of: "local").last == made)
            #expect(try await stand.opens(2))
            for _ in 0..<2 {
                let isKnown = try await tokens.revokeOwnToken(
                    number: made.number,
                    by: Self.hash(1),
                    at: Self.now
                )
                #expect(isKnown)
            }
            #expect(try await !stand.opens(2))
            let rows = try await tokens.ownTokens(sha256: Self.hash(1), at: Self.now)
            #expect(rows.map(\.token.number) == [first.number])
        }
    }

    @Test("a token may revoke itself", arguments: UserStoreSubject.allCases)
    func itself(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let token = try await stand.users.addToken(Self.token(1), of: "local", limit: 9)
            let hash = Self.hash(1)
            #expect(
                try await stand.tokens.revokeOwnToken(number: token.number, by: hash, at: Self.now)
            )
            #expect(try await !stand.opens(1))
            #expect(await Self.makingCode(stand, Self.token(2), by: 1) == .unauthorized)
        }
    }

    @Test(
        "an unknown, expired or revoked token lists, makes and revokes nothing",
        arguments: UserStoreSubject.allCases
    )
    func invalid(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let past = Self.now - 400 * 24 * Self.hour
            let kept = try await stand.users.addToken(Self.token(1), of: "local", limit: 9)
            _ = try await stand.users.addToken(
                Self.token(2, madeAt: past, expiresAt: past + 1),
                of: "local",
                limit: 9
            )
            let revoked = try await stand.users.addToken(Self.token(3), of: "local", limit: 9)
            try await stand.users.revokeToken(number: revoked.number, at: Self.now)
            for byte: UInt8 in [2, 3, 4] {
                let hash = Self.hash(byte)
                let listing = await StoreSubject.code { () throws(StoreError) in
                    _ = try await stand.tokens.ownTokens(sha256: hash, at: Self.now)
                }
                #expect(listing == .unauthorized)
                #expect(await Self.makingCode(stand, Self.token(9), by: byte) == .unauthorized)
                let revoking = await StoreSubject.code { () throws(StoreError) in
                    _ = try await stand.tokens.revokeOwnToken(
                        number: kept.number,
                        by: hash,
                        at: Self.now
                    )
                }
                #expect(revoking == .unauthorized)
            }
            #expect(try await stand.opens(1))
            #expect(try await stand.users.tokens(of: "local").count == 3)
        }
    }

    @Test(
        "a read-only token lists, but makes and revokes nothing",
        arguments: UserStoreSubject.allCases
    )
    func readOnly(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let token = try await stand.users.addToken(
                Self.token(1, scope: "read"),
                of: "local",
                limit: 9
            )
            let rows = try await stand.tokens.ownTokens(sha256: Self.hash(1), at: Self.now)
            #expect(rows.map(\.token.number) == [token.number])
            for scope in ["read", "write"] {
                let new = Self.token(2, scope: scope)
                #expect(await Self.makingCode(stand, new, by: 1) == .forbidden)
            }
            let revoking = await StoreSubject.code { () throws(StoreError) in
                _ = try await stand.tokens.revokeOwnToken(
                    number: token.number,
                    by: Self.hash(1),
                    at: Self.now
                )
            }
            #expect(revoking == .forbidden)
            #expect(try await stand.opens(1))
            #expect(try await stand.users.tokens(of: "local").count == 1)
        }
    }

    @Test(
        "no token outlasts the one that made it",
        arguments: UserStoreSubject.allCases
    )
    func expiry(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            let end = Self.future
            _ = try await stand.users.addToken(
                Self.token(1, expiresAt: end),
                of: "local",
                limit: 9
            )
            let wanted = [nil, end + 1, end, end - 1]
            var ends: [Int64?] = []
            for (place, expiresAt) in wanted.enumerated() {
                let made = try await stand.tokens.addOwnToken(
                    Self.token(UInt8(2 + place), expiresAt: expiresAt),
                    by: Self.hash(1),
                    limits: Self.limits
                )
                ends.append(made.expiresAt)
            }
            #expect(ends == [end, end, end, end - 1])
            #expect(try await stand.users.tokens(of: "local").map(\.expiresAt) == [end] + ends)
        }
    }

    @Test(
        "tokens beyond the limits are refused; revoked ones count for a day",
        arguments: UserStoreSubject.allCases
    )
    func limits(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            // Not made within a day.
            _ = try await stand.users.addToken(
                Self.token(1, madeAt: Self.now - 25 * Self.hour),
                of: "local",
                limit: 9
            )
            let limits = TokenLimitsDTO(valid: 2, perDay: 3)
            for byte: UInt8 in 2...4 {
                #expect(
                    await Self.makingCode(stand, Self.token(byte), by: 1, limits: limits) == nil
                )
                let over = Self.token(byte + 10)
                #expect(await Self.makingCode(stand, over, by: 1, limits: limits) == .tooMany)
                let made = try #require(try await stand.users.tokens(of: "local").last)
                _ = try await stand.tokens.revokeOwnToken(
                    number: made.number,
                    by: Self.hash(1),
                    at: Self.now
                )
            }
            let fourth = Self.token(5)
            #expect(await Self.makingCode(stand, fourth, by: 1, limits: limits) == .tooMany)
            #expect(await Self.makingCode(stand, fourth, by: 1) == nil)
        }
    }

    @Test(
        "concurrent calls make no more tokens than the limit",
        arguments: UserStoreSubject.allCases
    )
    func concurrent(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            for byte: UInt8 in [1, 2] {
                _ = try await stand.users.addToken(Self.token(byte), of: "local", limit: 9)
            }
            let limits = TokenLimitsDTO(valid: 4, perDay: 9)
            let codes = await withTaskGroup { group in
                for byte: UInt8 in 10..<18 {
                    group.addTask {
                        await Self.makingCode(
                            stand,
                            Self.token(byte),
                            by: byte % 2 + 1,
                            limits: limits
                        )
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == nil } == 2)
            #expect(codes.count { $0 == .tooMany } == 6)
            #expect(try await stand.users.tokens(of: "local").count == 4)
        }
    }

    @Test(
        "a token neither lists nor revokes a token of another user",
        arguments: UserStoreSubject.shared
    )
    func strangers(subject: UserStoreSubject) async throws {
        try await subject.with { stand async throws in
            _ = try await stand.users.addUser(name: "kim", at: 1)
            let own = try await stand.users.addToken(Self.token(1), of: "local", limit: 9)
            let foreign = try await stand.users.addToken(Self.token(2), of: "kim", limit: 9)
            let rows = try await stand.tokens.ownTokens(sha256: Self.hash(1), at: Self.now)
            #expect(rows.map(\.token.number) == [own.number])
            for number in [foreign.number, 99] {
                let isKnown = try await stand.tokens.revokeOwnToken(
                    number: number,
                    by: Self.hash(1),
                    at: Self.now
                )
                #expect(!isKnown)
            }
            #expect(try await stand.opens(2))
            try await stand.users.setUser(name: "local", isDisabled: true)
            #expect(await Self.makingCode(stand, Self.token(3), by: 1) == .unauthorized)
        }
    }
}
