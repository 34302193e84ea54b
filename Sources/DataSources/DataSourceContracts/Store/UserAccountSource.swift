/// The users of a store and their tokens, for administration.
///
/// Each call is one transaction. Names are compared byte for byte. In a shared store only the owner
/// of the schema may make these calls. An embedded store has the one user `local`.
public protocol UserAccountSource: Sendable {
    /// All users by number, ascending.
    func users() async throws(StoreError) -> [UserDTO]

    /// Adds a user.
    ///
    /// - Throws: ``StoreError``: `conflict` when the name exists, `refused` by an embedded store.
    func addUser(name: String, at: Int64) async throws(StoreError) -> UserDTO

    /// Adds users in one transaction, or none if one of their names exists.
    ///
    /// - Returns: the names that exist, each at most once; none if all users were added.
    /// - Throws: ``StoreError``: `conflict` when another process adds one of them meanwhile,
    ///   `refused` by an embedded store.
    func addUsers(_ users: [NewUserDTO], at: Int64) async throws(StoreError) -> [String]

    /// Disables or enables a user. The tokens of a disabled user are invalid.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user.
    func setUser(name: String, isDisabled: Bool) async throws(StoreError)

    /// Removes a user with settings, favorites, holdings, cash, alerts, webhook, tokens, journal.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user, `refused` by an embedded store.
    func removeUser(name: String) async throws(StoreError)

    /// Exports all data of a user as of one moment.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user.
    func export(name: String) async throws(StoreError) -> UserExportDTO

    /// Adds a token of a user.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user, `tooMany` beyond `limit` tokens
    ///   that are valid.
    func addToken(
        _ token: NewTokenDTO,
        of name: String,
        limit: Int
    ) async throws(StoreError)
        -> TokenDTO

    /// Replaces a valid token by a new one of the same user, in one transaction.
    ///
    /// - Parameters:
    ///   - number: the number of the former token.
    ///   - until: when the former token ends, unless it ends before; not after `at`: it is revoked
    ///     at once.
    ///   - at: the time.
    ///   - limit: the maximum number of the user's valid tokens, afterwards.
    ///   - makeToken: makes the new token from the former one.
    /// - Returns: the new token.
    /// - Throws: ``StoreError``: `notFound` without such a token, `refused` if it is revoked or
    ///   expired, `tooMany` beyond `limit` tokens.
    func rotateToken(
        number: Int64,
        until: Int64,
        at: Int64,
        limit: Int,
        _ makeToken: @escaping @Sendable (TokenDTO) -> NewTokenDTO
    ) async throws(StoreError) -> TokenDTO

    /// The tokens of a user by number, ascending, including revoked ones.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user.
    func tokens(of name: String) async throws(StoreError) -> [TokenDTO]

    /// Revokes a token. A token that was revoked before stays as it is.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a token.
    func revokeToken(number: Int64, at: Int64) async throws(StoreError)
}

/// A row of `users`.
public struct UserDTO: Sendable, Hashable {
    /// The number from 1, never reused.
    public var number: Int64
    /// The name that commands use.
    public var name: String
    /// When it was added, microseconds since 1970 UTC.
    public var addedAt: Int64
    /// Whether the user is disabled.
    public var isDisabled: Bool

    /// Makes a row.
    public init(number: Int64, name: String, addedAt: Int64, isDisabled: Bool) {
        self.number = number
        self.name = name
        self.addedAt = addedAt
        self.isDisabled = isDisabled
    }
}

/// A user to add.
public struct NewUserDTO: Sendable, Hashable {
    /// The name that commands use.
    public var name: String
    /// The name that screens show; nil for none.
    public var displayName: String?

    /// Makes a row.
    public init(name: String, displayName: String?) {
        self.name = name
        self.displayName = displayName
    }
}

/// All stored data of one user.
public struct UserExportDTO: Sendable, Hashable {
    /// The row of `users`.
    public var user: UserDTO
    /// The record.
    public var personal: UserRecordDTO
    /// The tokens by number, without their hashes.
    public var tokens: [TokenDTO]
    /// The journal, oldest first.
    public var journal: [JournalDTO]
    /// All alerts of the log, oldest first.
    public var alertLog: [AlertLogDTO]
    /// The webhook with all its dead letters and without its secret; nil without one.
    public var webhook: WebhookDTO?

    /// Makes an export.
    public init(
        user: UserDTO,
        personal: UserRecordDTO,
        tokens: [TokenDTO],
        journal: [JournalDTO],
        alertLog: [AlertLogDTO],
        webhook: WebhookDTO?
    ) {
        self.user = user
        self.personal = personal
        self.tokens = tokens
        self.journal = journal
        self.alertLog = alertLog
        self.webhook = webhook
    }
}
