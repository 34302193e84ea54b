public import DataSourceContracts

/// The one user of the embedded store, `local`, and the tokens of that user.
extension SQLiteStore: UserAccountSource, TokenStoreSource {
    /// The one user.
    public func users() throws(StoreError) -> [UserDTO] {
        try perform(.reading) { connection throws(StoreError) in
            try TokenTables(connection: connection).users()
        }
    }

    /// Refused: an embedded store has one user.
    public func addUser(name: String, at time: Int64) throws(StoreError) -> UserDTO {
        throw onePerson
    }

    /// Refused: an embedded store has one user.
    public func addUsers(_ users: [NewUserDTO], at time: Int64) throws(StoreError) -> [String] {
        throw onePerson
    }

    /// Refused: an embedded store has one user.
    public func setUser(name: String, isDisabled: Bool) throws(StoreError) { throw onePerson }

    /// Refused: an embedded store has one user.
    public func removeUser(name: String) throws(StoreError) { throw onePerson }

    /// Exports all data of the user as of one moment.
    public func export(name: String) throws(StoreError) -> UserExportDTO {
        try perform(.reading) { connection throws(StoreError) in
            let tokens = TokenTables(connection: connection)
            let user = try tokens.user(named: name)
            let personal = UserRecordTables(connection: connection, user: user.number)
            return UserExportDTO(
                user: user,
                personal: try personal.record(),
                tokens: try tokens.tokens(of: user.number),
                journal: try personal.journal(newest: Int(UserRecordTables.journalRowsMax))
                    .reversed(),
                alertLog: try AlertTables(connection: connection, user: user.number)
                    .log(newest: AlertLogDTO.storedRowsMax).reversed(),
                webhook: try WebhookTables(connection: connection, user: user.number)
                    .webhook(deadLettersMax: AlertLogDTO.storedRowsMax)
            )
        }
    }

    /// Adds a token.
    public func addToken(
        _ token: NewTokenDTO,
        of name: String,
        limit: Int
    ) throws(StoreError) -> TokenDTO {
        try perform(.writing) { connection throws(StoreError) in
            let tables = TokenTables(connection: connection)
            return try tables.add(token, of: try tables.user(named: name).number, limit: limit)
        }
    }

    /// Replaces a valid token by a new one.
    public func rotateToken(
        number: Int64,
        until: Int64,
        at time: Int64,
        limit: Int,
        _ makeToken: @escaping @Sendable (TokenDTO) -> NewTokenDTO
    ) throws(StoreError) -> TokenDTO {
        try perform(.writing) { connection throws(StoreError) in
            let tables = TokenTables(connection: connection)
            let former = try tables.token(number)
            guard former.token.isValid(at: time) else { throw .invalidToken(number) }
            try tables.end(number, until: until, at: time)
            return try tables.add(makeToken(former.token), of: former.user, limit: limit)
        }
    }

    /// The tokens by number, including revoked ones.
    public func tokens(of name: String) throws(StoreError) -> [TokenDTO] {
        try perform(.reading) { connection throws(StoreError) in
            let tables = TokenTables(connection: connection)
            return try tables.tokens(of: try tables.user(named: name).number)
        }
    }

    /// Revokes a token.
    ///
    /// A token that was revoked before stays as it is.
    public func revokeToken(number: Int64, at time: Int64) throws(StoreError) {
        try perform(.writing) { connection throws(StoreError) in
            try TokenTables(connection: connection).revoke(number, at: time)
        }
    }

    /// Looks a token up and records its use at most once a minute.
    ///
    /// A store that can only be read at the moment lets in all the same.
    public func grant(sha256: [UInt8], at time: Int64) throws(StoreError) -> TokenGrantDTO? {
        let found = try perform(.reading) { connection throws(StoreError) in
            try TokenTables(connection: connection).grant(sha256: sha256, at: time)
        }
        guard let found else { return nil }
        if !found.isNoted {
            try? perform(.writing, isPatient: false) { connection throws(StoreError) in
                try TokenTables(connection: connection).noteUse(of: found.grant.token, at: time)
            }
        }
        return found.grant
    }

    /// The valid tokens of the owner of a token.
    public func ownTokens(sha256: [UInt8], at time: Int64) throws(StoreError) -> [OwnTokenDTO] {
        try perform(.reading) { connection throws(StoreError) in
            try TokenTables(connection: connection).ownTokens(sha256: sha256, at: time)
        }
    }

    /// Adds a token of the owner of a token.
    public func addOwnToken(
        _ token: NewTokenDTO,
        by sha256: [UInt8],
        limits: TokenLimitsDTO
    ) throws(StoreError) -> TokenDTO {
        try perform(.writing) { connection throws(StoreError) in
            try TokenTables(connection: connection).addOwn(token, by: sha256, limits: limits)
        }
    }

    /// Revokes a token of the owner of a token.
    public func revokeOwnToken(
        number: Int64,
        by sha256: [UInt8],
        at time: Int64
    ) throws(StoreError) -> Bool {
        try perform(.writing) { connection throws(StoreError) in
            try TokenTables(connection: connection).revokeOwn(number, by: sha256, at: time)
        }
    }

    private var onePerson: StoreError {
        StoreError(
            .refused,
            "\(path): a file has a single user. Name a database with HOGA_DATABASE_URL to manage "
                + "users"
        )
    }
}
