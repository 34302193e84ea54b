/// A value of a column.
enum SQLiteValue: Sendable {
    /// Nothing.
    case null
    /// A whole number.
    case integer(Int64)
    /// Text, zero bytes included.
    case text(String)

    /// A text that may be missing.
    static func text(ifAny text: String?) -> SQLiteValue { text.map(SQLiteValue.text) ?? .null }

    /// A number that may be missing.
    static func integer(ifAny number: Int64?) -> SQLiteValue {
        number.map(SQLiteValue.integer) ?? .null
    }
}

extension SQLiteValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    init(stringLiteral text: String) { self = .text(text) }

    init(integerLiteral number: Int64) { self = .integer(number) }
}
