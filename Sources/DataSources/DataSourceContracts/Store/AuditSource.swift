/// The audit trail of a shared store: the changes by administrators, which nobody can alter.
///
/// The store writes each row in the transaction of the change. It keeps rows for three years, also
/// those of removed users.
public protocol AuditSource: Sendable {
    /// The newest rows that a filter selects, oldest first.
    ///
    /// - Throws: ``StoreError`` when they cannot be read.
    func audit(_ filter: AuditFilter) async throws(StoreError) -> [AuditDTO]
}

/// A selection of rows of an audit trail.
public struct AuditFilter: Sendable, Hashable {
    /// A present or former name of the user; nil for all rows.
    public var user: String?
    /// The first time, microseconds since 1970 UTC; nil for no bound.
    public var from: Int64?
    /// The time after the last one; nil for no bound.
    public var to: Int64?
    /// The maximum number of rows.
    public var rowsMax: Int

    /// Makes a filter.
    public init(user: String?, from: Int64?, to: Int64?, rowsMax: Int) {
        self.user = user
        self.from = from
        self.to = to
        self.rowsMax = rowsMax
    }
}

/// A row of `audit`.
public struct AuditDTO: Sendable, Hashable {
    /// The number, ascending with time.
    public var number: Int64
    /// The time by the store's clock, microseconds since 1970 UTC.
    public var at: Int64
    /// The database role that logged in.
    public var role: String
    /// The person, as the program stated; nil if it did not.
    public var administrator: String?
    /// `user.add`, `user.rename`, `user.disable`, `user.enable`, `user.remove`, `token.add`,
    /// `token.revoke`, `token.change`, `token.remove`, `migration.apply`, `privileges.grant`.
    public var action: String
    /// The number of the user; nil for actions without one.
    public var user: Int64?
    /// The name of the user before the action, or of the migration or role.
    public var subject: String
    /// The number of the token; nil for actions without one.
    public var token: Int64?
    /// More values, a JSON object of strings.
    public var detailsJSON: String

    /// Makes a row.
    public init(
        number: Int64,
        at: Int64,
        role: String,
        administrator: String?,
        action: String,
        user: Int64?,
        subject: String,
        token: Int64?,
        detailsJSON: String
    ) {
        self.number = number
        self.at = at
        self.role = role
        self.administrator = administrator
        self.action = action
        self.user = user
        self.subject = subject
        self.token = token
        self.detailsJSON = detailsJSON
    }
}
