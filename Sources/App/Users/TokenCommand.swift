import Cryptography
import DataSourceContracts
import Domain
import ViewStates

extension Command {
    static let userTokenNew = onStore(
        "user token new",
        "Create an access token and print it once",
        operands: [.user],
        options: [.scope, .expires, .note],
        requires: .accounts,
        isAudited: true
    ) { access, invocation throws(ProgramError) in
        try await TokenCommand(access: access).make(
            of: invocation.required(0),
            scope: invocation.options[.scope],
            lifetime: invocation.options[.expires],
            note: invocation.options[.note]
        )
    }

    static let userTokenList = onStore(
        "user token list",
        "List a user's tokens: numbers, scopes, times and notes, never the tokens themselves",
        operands: [.user],
        requires: .existingAccounts
    ) { access, invocation throws(ProgramError) in
        try await TokenCommand(access: access).list(of: invocation.required(0))
    }

    static let userTokenRotate = onStore(
        "user token rotate",
        "Replace a token by a new one of the same scope, lifetime and note, and print it once",
        operands: [.token],
        options: [.expires, .note, .overlap],
        requires: .accounts,
        isAudited: true
    ) { access, invocation throws(ProgramError) in
        try await TokenCommand(access: access).rotate(
            invocation.required(0),
            lifetime: invocation.options[.expires],
            note: invocation.options[.note],
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
    let access: StoreAccess

    /// `new`: creates a token and prints it.
    func make(
        of name: String,
        scope: String?,
        lifetime: String?,
        note: String?
    ) async throws(ProgramError) {
        let name = try UserCommand.name(name)
        let scope = try Self.scope(scope)
        let lifetime = try Self.lifetime(lifetime)
        let note = try Self.note(note)
        let now = SystemSources.now()
        let token = AccessToken.random()
        let new = NewTokenDTO(
            sha256: token.sha256,
            scope: scope.rawValue,
            madeAt: now.microseconds,
            expiresAt: lifetime.end(from: now)?.microseconds,
            note: note
        )
        let kept = try await access.callUsers { source throws(StoreError) in
            try await source.addToken(new, of: name, limit: UserToken.validMax)
        }
        try Self.show(token, kept, "of \(name)")
    }

    /// `rotate`: replaces a token by a new one and prints that.
    func rotate(
        _ text: String,
        lifetime: String?,
        note: String?,
        overlap: String?
    ) async throws(ProgramError) {
        let number = try Self.number(text)
        let given = lifetime == nil ? nil : try Self.lifetime(lifetime)
        let newNote = try Self.note(note)
        let now = SystemSources.now()
        let end = try Self.overlap(overlap).map { now.advanced(by: $0) }
        let token = AccessToken.random()
        let sha256 = token.sha256
        let kept = try await access.callUsers { source throws(StoreError) in
            try await source.rotateToken(
                number: number,
                until: (end ?? now).microseconds,
                at: now.microseconds,
                limit: UserToken.validMax
            ) { former in
                let sameEnd = former.expiresAt.map { now.microseconds + $0 - former.madeAt }
                return NewTokenDTO(
                    sha256: sha256,
                    scope: former.scope,
                    madeAt: now.microseconds,
                    expiresAt: given.map { $0.end(from: now)?.microseconds } ?? sameEnd,
                    note: note == nil ? former.note : newNote
                )
            }
        }
        let former = end.map { "is valid until \(TimeText.iso($0)) at the latest" } ?? "is revoked"
        try Self.show(token, kept, "replaces token \(number), which \(former)")
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

    /// `list`: number, scope, times of creation, expiry, revocation and last use, and the note,
    /// which reaches to the end of the line.
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
                    + (token.note.map { " note=" + $0 } ?? "")
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

    private static func note(_ text: String?) throws(ProgramError) -> String? {
        guard let text else { return nil }
        do throws(InputError) {
            return try UserInput.note(text)
        } catch {
            throw ProgramError(.usage, "\(CommandOption.note.flag): \(error.detail)")
        }
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
    /// Makes an unpredictable token.
    static func random() -> AccessToken {
        AccessToken(randomBytes: Cryptography.randomBytes(count: byteCount))
    }

    /// The SHA-256 of its text, which stores keep instead of the token.
    var sha256: [UInt8] { Cryptography.sha256(Array(text.utf8)) }
}
