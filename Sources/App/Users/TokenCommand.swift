import Cryptography
import DataSourceContracts
import Domain
import ViewStates

extension Command {
    static let userTokenNew = onStore(
        "user token new",
        "Create an access token and print it once",
        operands: [.user],
        options: [.scope, .expires],
        requires: .accounts,
        isAudited: true
    ) { access, invocation throws(ProgramError) in
        try await TokenCommand(access: access).make(
            of: invocation.required(0),
            scope: invocation.options[.scope],
            lifetime: invocation.options[.expires]
        )
    }

    static let userTokenList = onStore(
        "user token list",
        "List a user's tokens: numbers, scopes and times, never the tokens themselves",
        operands: [.user],
        requires: .existingAccounts
    ) { access, invocation throws(ProgramError) in
        try await TokenCommand(access: access).list(of: invocation.required(0))
    }

    static let userTokenRotate = onStore(
        "user token rotate",
        "Replace a token by a new one of the same scope and lifetime, and print it once",
        operands: [.token],
        options: [.expires, .overlap],
        requires: .accounts,
        isAudited: true
    ) { access, invocation throws(ProgramError) in
        try await TokenCommand(access: access).rotate(
            invocation.required(0),
            lifetime: invocation.options[.expires],
            overlap: invocation.options[.overlap]
        )
    }

    static let userTokenRevoke = onStore(
        "user token revoke",
        "Revoke a token; it stops working within a second",
        operands: [.token],
        requires: .existingAccounts,
        isAudited: true
    ) { access, invocation throws(ProgramError) in
        try await TokenCommand(access: access).revoke(invocation.required(0))
    }
}

extension CommandOperand {
    fileprivate static let token = CommandOperand(
        "NUMBER",
        "the token's number in 'hoga user token list'"
    )
}

/// `hoga user token`: access tokens.
struct TokenCommand: Sendable {
    /// The maximum number of tokens of a user that are valid.
    static let tokensMax = 100

    let access: StoreAccess

    /// `new`: creates a token and prints it.
    func make(
        of name: String,
        scope: String?,
        lifetime: String?
    ) async throws(ProgramError) {
        let name = try UserCommand.name(name)
        let scope = try Self.scope(scope)
        let lifetime = try Self.lifetime(lifetime)
        let now = SystemSources.now()
        let token = Self.randomToken()
        let new = NewTokenDTO(
            sha256: token.sha256,
            scope: scope.rawValue,
            madeAt: now.microseconds,
            expiresAt: lifetime.end(from: now)?.microseconds
        )
        let kept = try await access.callUsers { source throws(StoreError) in
            try await source.addToken(new, of: name, limit: Self.tokensMax)
        }
        try Self.show(token, kept, "of \(name)")
    }

    /// `rotate`: replaces a token by a new one and prints that.
    func rotate(
        _ text: String,
        lifetime: String?,
        overlap: String?
    ) async throws(ProgramError) {
        let number = try Self.number(text)
        let given = lifetime == nil ? nil : try Self.lifetime(lifetime)
        let now = SystemSources.now()
        let end = try Self.overlap(overlap).map { now.advanced(by: $0) }
        let token = Self.randomToken()
        let sha256 = token.sha256
        let kept = try await access.callUsers { source throws(StoreError) in
            try await source.rotateToken(
                number: number,
                until: (end ?? now).microseconds,
                at: now.microseconds,
                limit: Self.tokensMax
            ) { former in
                let sameEnd = former.expiresAt.map { now.microseconds + $0 - former.madeAt }
                return NewTokenDTO(
                    sha256: sha256,
                    scope: former.scope,
                    madeAt: now.microseconds,
                    expiresAt: given.map { $0.end(from: now)?.microseconds } ?? sameEnd
                )
            }
        }
        let former = end.map { "is valid until \(TimeText.iso($0)) at the latest" } ?? "is revoked"
        try Self.show(token, kept, "replaces token \(number), which \(former)")
    }

    private static func randomToken() -> AccessToken {
        AccessToken(randomBytes: Cryptography.randomBytes(count: AccessToken.byteCount))
    }

    private static func show(
        _ token: AccessToken,
        _ kept: TokenDTO,
        _ place: String
    ) throws(ProgramError) {
        // Only the token goes to standard output, so that it can be redirected to a file.
        try Console.line(token.text)
        let end = kept.expiresAt.map { "until " + time($0) } ?? "until it is revoked"
        Console.note(
            "token \(kept.number) \(place); scope \(kept.scope), valid \(end); it is not "
                + "stored and cannot be shown again"
        )
    }

    /// `list`: number, scope, and times of creation, expiry, revocation and last use.
    func list(of name: String) async throws(ProgramError) {
        let name = try UserCommand.name(name)
        let tokens = try await access.callUsers { source throws(StoreError) in
            try await source.tokens(of: name)
        }
        if tokens.isEmpty {
            Console.note("\(name) has no token; create one with 'hoga user token new \(name)'")
        }
        for token in tokens {
            try Console.line(
                "\(token.number) \(token.scope) made=\(Self.time(token.madeAt)) "
                    + "expires=\(Self.time(token.expiresAt)) "
                    + "revoked=\(Self.time(token.revokedAt)) used=\(Self.time(token.usedAt))"
            )
        }
    }

    /// `revoke`: revokes a token.
    func revoke(_ text: String) async throws(ProgramError) {
        let number = try Self.number(text)
        try await access.callUsers { source throws(StoreError) in
            try await source.revokeToken(number: number, at: SystemSources.now().microseconds)
        }
        try Console.line("token \(number) revoked")
    }

    private static func number(_ text: String) throws(ProgramError) -> Int64 {
        guard let number = Int64(text), number > 0 else {
            throw ProgramError(.usage, "NUMBER must be a whole number, 1 or more")
        }
        return number
    }

    private static func overlap(_ text: String?) throws(ProgramError) -> Duration? {
        guard let text else { return nil }
        guard case .limited(let duration) = TokenLifetime(text) else {
            throw ProgramError(
                .usage,
                "\(CommandOption.overlap.flag) must be a duration like 24h, 30m or 7d"
            )
        }
        return duration
    }

    private static func scope(_ text: String?) throws(ProgramError) -> TokenScope {
        guard let text else { return .write }
        guard let scope = TokenScope(rawValue: text) else {
            throw ProgramError(.usage, "\(CommandOption.scope.flag) must be read or write")
        }
        return scope
    }

    private static func lifetime(_ text: String?) throws(ProgramError) -> TokenLifetime {
        guard let text else { return .standard }
        guard let lifetime = TokenLifetime(text) else {
            throw ProgramError(
                .usage,
                "\(CommandOption.expires.flag) must be never or a duration like 90d, 12h or 30m, "
                    + "up to 3650d"
            )
        }
        return lifetime
    }

    private static func time(_ microseconds: Int64) -> String {
        TimeText.iso(Timestamp(microseconds: microseconds))
    }

    private static func time(_ microseconds: Int64?) -> String {
        microseconds.map { time($0) } ?? "never"
    }
}

extension AccessToken {
    /// The SHA-256 of its text, which stores keep instead of the token.
    var sha256: [UInt8] { Cryptography.sha256(Array(text.utf8)) }
}
