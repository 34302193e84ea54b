public import DataSourceContracts

/// Tokens, for members of `hoga_app`, which read no table of tokens: functions of the database
/// answer.
extension PostgreSQLStore: TokenStoreSource {
    /// Looks up a token by the server's clock, and records its use at most once a minute.
    public func grant(sha256: [UInt8], at: Int64) async throws(StoreError) -> TokenGrantDTO? {
        // Recording a use twice is harmless, so the call may be repeated.
        let answers = try await pool.perform(
            [settle(.short), Statements.findToken(.bytes(sha256))],
            as: .reading
        )
        guard let row = answers[1].first else { return nil }
        return try TokenGrantDTO(row, from: 0)
    }

    /// Looks up tokens in one round trip.
    public func grants(
        sha256s: [[UInt8]],
        at: Int64
    ) async throws(StoreError) -> [TokenGrantDTO?] {
        let answers = try await pool.perform(
            [
                settle(.short),
                Statements.findTokens(.texts(sha256s.map { Self.hexadecimal($0) })),
            ],
            as: .reading
        )
        var grants = [TokenGrantDTO?](repeating: nil, count: sha256s.count)
        for row in answers[1] {
            let place = Int(try row.integer(0)) - 1
            guard grants.indices.contains(place) else { continue }
            grants[place] = try TokenGrantDTO(row, from: 1)
        }
        return grants
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Tokens of the owner of a token

    /// The valid tokens of the owner of a token, by the server's clock.
    public func ownTokens(sha256: [UInt8], at: Int64) async throws(StoreError) -> [OwnTokenDTO] {
        let answers = try await pool.perform(
            [settle(.short), Statements.readOwnTokens(.bytes(sha256))],
            as: .reading
        )
        var tokens: [OwnTokenDTO] = []
        for row in answers[1] {
            tokens.append(OwnTokenDTO(token: try TokenDTO(row), isAsking: try row.bool(7)))
        }
        // The asking token is one of them.
        guard !tokens.isEmpty else { throw .invalidAskingToken }
        return tokens
    }

    /// Adds a token of the owner of a token, made at the server's time.
    ///
    /// - Throws: ``StoreError``: `refused` for a time outside the years 1 to 9999; else as the
    ///   protocol says.
    public func addOwnToken(
        _ token: NewTokenDTO,
        by sha256: [UInt8],
        limits: TokenLimitsDTO
    ) async throws(StoreError) -> TokenDTO {
        guard !isReadOnly else { throw Self.readOnlyAddress }
        try PostgreSQLUserAccounts.check(token)
        let answers = try await pool.perform(
            [
                settle(.short),
                Statements.addOwnToken(
                    .bytes(sha256),
                    .bytes(token.sha256),
                    .text(token.scope),
                    .time(ifAny: token.expiresAt),
                    .text(ifAny: token.note),
                    .integer(Int64(limits.valid)),
                    .integer(Int64(limits.perDay))
                ),
            ],
            as: .writing
        )
        guard let row = answers[1].first else {
            preconditionFailure("The function returns a row.")
        }
        try Self.check(try row.text(0), limits)
        return TokenDTO(
            number: try row.integer(1),
            scope: token.scope,
            madeAt: try row.time(2),
            expiresAt: try row.optionalTime(3),
            revokedAt: nil,
            usedAt: nil,
            note: token.note
        )
    }

    /// Revokes a token of the owner of a token, at the server's time.
    public func revokeOwnToken(
        number: Int64,
        by sha256: [UInt8],
        at: Int64
    ) async throws(StoreError) -> Bool {
        guard !isReadOnly else { throw Self.readOnlyAddress }
        let answers = try await pool.perform(
            [settle(.short), Statements.revokeOwnToken(.bytes(sha256), .integer(number))],
            as: .writing
        )
        guard let row = answers[1].first else {
            preconditionFailure("The function returns a row.")
        }
        let outcome = try row.text(0)
        if outcome == "unknown" { return false }
        try Self.check(outcome)
        return true
    }

    /// Throws unless an outcome of a function says that the change was made.
    private static func check(
        _ outcome: String,
        _ limits: TokenLimitsDTO? = nil
    ) throws(StoreError) {
        switch outcome {
        case "made", "revoked": return
        case "unauthorized": throw .invalidAskingToken
        case "forbidden": throw .readOnlyAskingToken
        case "valid_max": throw .tooManyValidTokens(limit: limits?.valid ?? 0)
        case "day_max": throw .tooManyNewTokens(limit: limits?.perDay ?? 0)
        default: throw StoreError(.incompatible, "a function of tokens has a newer outcome")
        }
    }
}

extension TokenGrantDTO {
    /// Reads the columns from an index on.
    fileprivate init(_ row: PostgreSQLRows.Row, from place: Int) throws(StoreError) {
        self.init(
            token: try row.integer(place),
            user: try row.integer(place + 1),
            name: try row.text(place + 2),
            scope: try row.text(place + 3),
            expiresAt: try row.optionalTime(place + 4)
        )
    }
}
