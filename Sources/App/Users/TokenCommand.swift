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

    static let userTokenRevoke = onStore(
        "user token revoke",
        "Revoke a token; it stops working within a second",
        operands: [CommandOperand("NUMBER", "the token's number in 'hoga user token list'")],
        requires: .existingAccounts,
        isAudited: true
    ) { access, invocation throws(ProgramError) in
        try await TokenCommand(access: access).revoke(invocation.required(0))
    }
}

/// `hoga user token`: access tokens.
struct TokenCommand: Sendable {
    /// The maximum number of tokens of a user that are not revoked.
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
        let token = AccessToken(
            randomBytes: Cryptography.randomBytes(count: AccessToken.byteCount)
        )
        let new = NewTokenDTO(
            sha256: token.sha256,
            scope: scope.rawValue,
            madeAt: now.microseconds,
            expiresAt: lifetime.end(from: now)?.microseconds
        )
        let kept = try await access.callUsers { source throws(StoreError) in
            try await source.addToken(new, of: name, limit: Self.tokensMax)
        }
        // Only the token goes to standard output, so that it can be redirected to a file.
        try Console.line(token.text)
        let end = kept.expiresAt.map { "until " + Self.time($0) } ?? "until it is revoked"
        Console.note(
            "token \(kept.number) of \(name), scope \(kept.scope), valid \(end); it is not "
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
        guard let number = Int64(text), number > 0 else {
            throw ProgramError(.usage, "NUMBER must be a whole number, 1 or more")
        }
        try await access.callUsers { source throws(StoreError) in
            try await source.revokeToken(number: number, at: SystemSources.now().microseconds)
        }
        try Console.line("token \(number) revoked")
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
