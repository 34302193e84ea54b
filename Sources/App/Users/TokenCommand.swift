import Cryptography
import DataSourceContracts
import Domain
import ViewStates

/// `hoga user token`: what lets programs and terminals in.
struct TokenCommand: Sendable {
    /// How many tokens of a user may be there that were not revoked.
    static let tokensMax = 100

    let access: StoreAccess

    /// `new`: makes a token and prints it, this once.
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
        // The one thing on standard output, so that it can be sent into a file.
        try Console.line(token.text)
        let end = kept.expiresAt.map { "until " + Self.time($0) } ?? "until it is revoked"
        Console.note(
            "Token \(kept.number) of \(name), \(kept.scope), \(end). It is shown this once "
                + "and stored nowhere."
        )
    }

    /// `list`: number, scope, when it was made, ends, was revoked and was used last.
    func list(of name: String) async throws(ProgramError) {
        let name = try UserCommand.name(name)
        let tokens = try await access.callUsers { source throws(StoreError) in
            try await source.tokens(of: name)
        }
        if tokens.isEmpty { Console.note("\(name) has no token; `hoga user token new` makes one.") }
        for token in tokens {
            try Console.line(
                "\(token.number) \(token.scope) made=\(Self.time(token.madeAt)) "
                    + "expires=\(Self.time(token.expiresAt)) "
                    + "revoked=\(Self.time(token.revokedAt)) used=\(Self.time(token.usedAt))"
            )
        }
    }

    /// `revoke`: lets a token open nothing any more.
    func revoke(_ text: String) async throws(ProgramError) {
        guard let number = Int64(text), number > 0 else {
            throw ProgramError(.usage, "NUMBER: must be a whole number from 1 up")
        }
        try await access.callUsers { source throws(StoreError) in
            try await source.revokeToken(number: number, at: SystemSources.now().microseconds)
        }
        try Console.line("token \(number) revoked")
    }

    private static func scope(_ text: String?) throws(ProgramError) -> TokenScope {
        guard let text else { return .write }
        guard let scope = TokenScope(rawValue: text) else {
            throw ProgramError(.usage, "\(CommandOption.scope.rawValue): must be read or write")
        }
        return scope
    }

    private static func lifetime(_ text: String?) throws(ProgramError) -> TokenLifetime {
        guard let text else { return .standard }
        guard let lifetime = TokenLifetime(text) else {
            throw ProgramError(
                .usage,
                "\(CommandOption.expires.rawValue): must be never, or like 90d, 12h, 30m or 45s, "
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
    /// The hash of its text, which is what stores keep.
    var sha256: [UInt8] { Cryptography.sha256(Array(text.utf8)) }
}
