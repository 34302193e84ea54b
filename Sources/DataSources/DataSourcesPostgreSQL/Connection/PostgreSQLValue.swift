/// A parameter of a statement, sent apart from its text, in the binary form.
public enum PostgreSQLValue: Sendable, Hashable {
    /// NULL; the statement says of which type.
    case null
    /// `boolean`.
    case bool(Bool)
    /// `bigint`.
    case integer(Int64)
    /// `text`, byte for byte: a zero byte, which PostgreSQL's text cannot hold, is escaped.
    case text(String)
    /// `bytea`.
    case bytes([UInt8])
    /// `timestamptz` of microseconds since 1970 UTC.
    case time(Int64)
    /// `bigint[]`.
    case integers([Int64])
    /// `text[]`, as ``text(_:)``; nil is NULL.
    case texts([String?])
    /// `timestamptz[]`; nil is NULL.
    case times([Int64?])
    /// `numeric[]` of canonical decimals.
    case decimals([String])

    /// Text, or NULL.
    static func text(ifAny text: String?) -> PostgreSQLValue { text.map(Self.text) ?? .null }

    /// A time, or NULL.
    static func time(ifAny time: Int64?) -> PostgreSQLValue { time.map(Self.time) ?? .null }
}

/// A statement with its parameters.
///
/// Its text is a literal: no value can get into it.
public struct PostgreSQLStatement: Sendable {
    /// SQL with `$1`, `$2` … for the parameters.
    public let sql: StaticString
    /// The parameters in order.
    public let values: [PostgreSQLValue]

    /// Makes a statement.
    public init(_ sql: StaticString, _ values: [PostgreSQLValue] = []) {
        self.sql = sql
        self.values = values
    }
}
