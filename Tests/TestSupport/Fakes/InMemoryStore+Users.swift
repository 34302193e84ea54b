public import DataSourceContracts

/// User accounts and tokens of a shared store.
extension InMemoryStore: UserAccountSource, TokenStoreSource {
    /// All users by number.
    public func users() async throws(StoreError) -> [UserDTO] {
        try perform { state in state.users.keys.sorted().compactMap { state.row(of: $0) } }
    }

    /// Adds a user; `conflict` when the name exists.
    public func addUser(name: String, at time: Int64) async throws(StoreError) -> UserDTO {
        try perform { state throws(StoreError) in
            guard state.number(of: name) == nil else {
                throw StoreError(.conflict, "there is a user of that name")
            }
            let number = max(state.tokens.userNumberMax, state.users.keys.max() ?? 0) + 1
            state.users[number] = StoredUser(record: UserRecordDTO(name: name), addedAt: time)
            return UserDTO(number: number, name: name, addedAt: time, isDisabled: false)
        }
    }

    /// Adds users, or none if one of their names exists.
    public func addUsers(
        _ users: [NewUserDTO],
        at time: Int64
    ) async throws(StoreError) -> [String] {
        let existing = try perform { state in
            users.map(\.name).filter { state.number(of: $0) != nil }
        }
        guard existing.isEmpty else { return existing }
        for user in users {
            let number = try await addUser(name: user.name, at: time).number
            try perform { $0.users[number]?.record.displayName = user.displayName }
        }
        return []
    }

    /// Disables or enables a user.
    public func setUser(name: String, isDisabled: Bool) async throws(StoreError) {
        try perform { state throws(StoreError) in
            let number = try state.found(name)
            state.users[number]?.isDisabled = isDisabled
            state.noteChange(of: number)
        }
    }

    /// Removes a user with all data.
    public func removeUser(name: String) async throws(StoreError) {
        try perform { state throws(StoreError) in
            let number = try state.found(name)
            state.tokens.userNumberMax = max(state.tokens.userNumberMax, number)
            state.users[number] = nil
            state.noteChange(of: number)
            state.tokens.rows.removeAll { $0.user == number }
        }
    }

    /// Exports all data of a user.
    public func export(name: String) async throws(StoreError) -> UserExportDTO {
        try perform { state throws(StoreError) in
            let number = try state.found(name)
            guard let row = state.row(of: number), let user = state.users[number] else {
                preconditionFailure("A user that was found is there.")
            }
            return UserExportDTO(
                user: row,
                personal: user.record,
                tokens: state.tokens.of(number),
                journal: user.journal,
                alertLog: user.alerts.log,
                webhook: user.webhook?.seen(user.alerts.log, deadLettersMax: .max)
            )
        }
    }

    /// Adds a token.
    public func addToken(
        _ token: NewTokenDTO,
        of name: String,
        limit: Int
    ) async throws(StoreError) -> TokenDTO {
        try perform { state throws(StoreError) in
            let user = try state.found(name)
            let present = state.tokens.of(user).count { $0.isValid(at: token.madeAt) }
            guard present < limit else { throw .tooManyValidTokens(limit: limit) }
            return state.tokens.add(token, of: user)
        }
    }

    /// Replaces a valid token by a new one of the same user.
    public func rotateToken(
        number: Int64,
        until: Int64,
        at time: Int64,
        limit: Int,
        _ makeToken: @escaping @Sendable (TokenDTO) -> NewTokenDTO
    ) async throws(StoreError) -> TokenDTO {
        let (former, owner) = try perform { state throws(StoreError) in
            guard let row = state.tokens.rows.first(where: { $0.token.number == number }) else {
                throw StoreError(.notFound, "there is no such token")
            }
            guard row.token.isValid(at: time) else { throw StoreError.invalidToken(number) }
            return (row.token, state.users[row.user]?.record.name ?? "")
        }
        let isOverlapping = until > time
        let token = try await addToken(
            makeToken(former),
            of: owner,
            limit: isOverlapping ? limit : limit + 1
        )
        try perform { state in
            for place in state.tokens.rows.indices
            where state.tokens.rows[place].token.number == number {
                if isOverlapping {
                    let end = min(former.expiresAt ?? until, until)
                    state.tokens.rows[place].token.expiresAt = end
                } else {
                    state.tokens.rows[place].token.revokedAt = time
                }
            }
        }
        return token
    }

    /// The tokens of a user by number.
    public func tokens(of name: String) async throws(StoreError) -> [TokenDTO] {
        try perform { state throws(StoreError) in
            let user = try state.found(name)
            return state.tokens.of(user)
        }
    }

    /// Revokes a token.
    ///
    /// A token that was revoked before stays as it is.
    public func revokeToken(number: Int64, at time: Int64) async throws(StoreError) {
        try perform { state throws(StoreError) in
            guard let place = state.tokens.rows.firstIndex(where: { $0.token.number == number })
            else { throw StoreError(.notFound, "there is no such token") }
            let before = state.tokens.rows[place].token.revokedAt
            state.tokens.rows[place].token.revokedAt = before ?? time
        }
    }

    /// Looks a token up and records its use at most once a minute.
    public func grant(sha256: [UInt8], at time: Int64) async throws(StoreError) -> TokenGrantDTO? {
        try perform { state in
            guard let place = state.tokens.rows.firstIndex(where: { $0.sha256 == sha256 }) else {
                return nil
            }
            guard let grant = state.grant(sha256, at: time) else { return nil }
            let used = state.tokens.rows[place].token.usedAt
            let isNoted = used.map { (0..<60_000_000).contains(time - $0) } ?? false
            if !isNoted { state.tokens.rows[place].token.usedAt = time }
            return grant
        }
    }

    /// The valid tokens of the owner of a token.
    public func ownTokens(
        sha256: [UInt8],
        at time: Int64
    ) async throws(StoreError) -> [OwnTokenDTO] {
        try perform { state throws(StoreError) in
            guard let asker = state.grant(sha256, at: time) else { throw .invalidAskingToken }
            return state.tokens.of(asker.user).filter { $0.isValid(at: time) }
                .map { OwnTokenDTO(token: $0, isAsking: $0.number == asker.token) }
        }
    }

    /// Adds a token of the owner of a token, which ends with that one at the latest.
    public func addOwnToken(
        _ token: NewTokenDTO,
        by sha256: [UInt8],
        limits: TokenLimitsDTO
    ) async throws(StoreError) -> TokenDTO {
        try perform { state throws(StoreError) in
            let asker = try state.changingAsker(sha256, at: token.madeAt)
            try limits.check(state.tokens.of(asker.user), at: token.madeAt)
            var token = token
            token.expiresAt = [token.expiresAt, asker.expiresAt].compactMap(\.self).min()
            return state.tokens.add(token, of: asker.user)
        }
    }

    /// Revokes a token of the owner of a token.
    public func revokeOwnToken(
        number: Int64,
        by sha256: [UInt8],
        at time: Int64
    ) async throws(StoreError) -> Bool {
        try perform { state throws(StoreError) in
            let asker = try state.changingAsker(sha256, at: time)
            let place = state.tokens.rows.firstIndex {
                $0.token.number == number && $0.user == asker.user
            }
            guard let place else { return false }
            let before = state.tokens.rows[place].token.revokedAt
            state.tokens.rows[place].token.revokedAt = before ?? time
            return true
        }
    }
}

/// The tokens of all users and the highest numbers.
struct StoredTokenRepository {
    /// A token and its owner.
    struct Row {
        var user: Int64
        var sha256: [UInt8]
        var token: TokenDTO
    }

    var rows: [Row] = []
    var numberMax: Int64 = 0
    var userNumberMax: Int64 = 0

    /// All tokens of a user.
    func of(_ user: Int64) -> [TokenDTO] { rows.filter { $0.user == user }.map(\.token) }

    /// Adds a token under the next number.
    mutating func add(_ token: NewTokenDTO, of user: Int64) -> TokenDTO {
        numberMax += 1
        let kept = TokenDTO(
            number: numberMax,
            scope: token.scope,
            madeAt: token.madeAt,
            expiresAt: token.expiresAt,
            revokedAt: nil,
            usedAt: nil,
            note: token.note
        )
        rows.append(Row(user: user, sha256: token.sha256, token: kept))
        return kept
    }
}

extension InMemoryStore.State {
    /// The grant of a valid token.
    fileprivate func grant(_ sha256: [UInt8], at time: Int64) -> TokenGrantDTO? {
        guard let row = tokens.rows.first(where: { $0.sha256 == sha256 }),
            let user = users[row.user], !user.isDisabled, row.token.isValid(at: time)
        else { return nil }
        return TokenGrantDTO(
            token: row.token.number,
            user: row.user,
            name: user.record.name,
            scope: row.token.scope,
            expiresAt: row.token.expiresAt
        )
    }

    fileprivate func changingAsker(
        _ sha256: [UInt8],
        at time: Int64
    ) throws(StoreError) -> TokenGrantDTO {
        guard let asker = grant(sha256, at: time) else { throw .invalidAskingToken }
        guard asker.scope == "write" else { throw .readOnlyAskingToken }
        return asker
    }

    fileprivate func number(of name: String) -> Int64? {
        users.first { $0.value.record.name.bytes == name.bytes }?.key
    }

    fileprivate func found(_ name: String) throws(StoreError) -> Int64 {
        guard let number = number(of: name) else {
            throw StoreError(.notFound, "there is no user of that name")
        }
        return number
    }

    fileprivate func row(of number: Int64) -> UserDTO? {
        users[number].map { user in
            UserDTO(
                number: number,
                name: user.record.name,
                addedAt: user.addedAt,
                isDisabled: user.isDisabled
            )
        }
    }
}
