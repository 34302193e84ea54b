/// A value of a column.
enum SQLiteValue: Sendable {
    /// SQL NULL.
    case null
    /// An integer.
    case integer(Int64)
    /// Text, which may have zero bytes.
    case text(String)

    /// Text or NULL.
    static func text(ifAny text: String?) -> SQLiteValue { text.map(SQLiteValue.text) ?? .null }

    /// An integer or NULL.
    static func integer(ifAny number: Int64?) -> SQLiteValue {
        number.map(SQLiteValue.integer) ?? .null
    }
}

extension SQLiteValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    init(stringLiteral text: String) { self = .text(text) }

    init(integerLiteral number: Int64) { self = .integer(number) }
}
