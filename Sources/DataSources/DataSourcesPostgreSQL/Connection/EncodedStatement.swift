import DataSourceContracts

/// A statement with its parameters in PostgreSQL's binary format.
struct EncodedStatement: Sendable {
    /// The text, which ends with a zero byte because it is a literal.
    let sql: StaticString
    /// The type of each parameter; 0 if the statement states it.
    private(set) var types: [UInt32] = []
    /// All parameters one after the other.
    private(set) var bytes: [UInt8] = []
    /// The end of each parameter in ``bytes``, and whether it is NULL.
    private(set) var ends: [(end: Int, isNull: Bool)] = []

    /// Encodes a statement.
    ///
    /// - Throws: ``StoreError`` with `refused` for a time outside the years 1 to 9999.
    init(_ statement: PostgreSQLStatement) throws(StoreError) {
        sql = statement.sql
        types.reserveCapacity(statement.values.count)
        ends.reserveCapacity(statement.values.count)
        for value in statement.values { try append(value) }
    }

    /// Encodes a statement without parameters.
    init(unparameterized sql: StaticString) { self.sql = sql }

    private mutating func append(_ value: PostgreSQLValue) throws(StoreError) {
        var isNull = false
        switch value {
        case .null:
            types.append(0)
            isNull = true
        case .bool(let flag):
            types.append(PostgreSQLType.bool)
            bytes.append(flag ? 1 : 0)
        case .integer(let number):
            types.append(PostgreSQLType.bigint)
            Self.append(number, to: &bytes)
        case .text(let text):
            types.append(PostgreSQLType.text)
            PostgreSQLText.append(text, to: &bytes)
        case .bytes(let data):
            types.append(PostgreSQLType.bytea)
            bytes += data
        case .time(let time):
            types.append(PostgreSQLType.timestamptz)
            Self.append(try Self.wire(time), to: &bytes)
        case .integers(let numbers):
            types.append(PostgreSQLType.bigints)
            try append(array: numbers, of: PostgreSQLType.bigint) { number, bytes in
                Self.append(number, to: &bytes)
                return true
            }
        case .texts(let texts):
            types.append(PostgreSQLType.texts)
            try append(array: texts, of: PostgreSQLType.text) { text, bytes in
                guard let text else { return false }
                PostgreSQLText.append(text, to: &bytes)
                return true
            }
        case .times(let times):
            types.append(PostgreSQLType.timestamptzs)
            try append(array: times, of: PostgreSQLType.timestamptz) {
                time,
                bytes throws(StoreError) in
                guard let time else { return false }
                Self.append(try Self.wire(time), to: &bytes)
                return true
            }
        case .decimals(let decimals):
            types.append(PostgreSQLType.numerics)
            try append(array: decimals, of: PostgreSQLType.numeric) { decimal, bytes in
                PostgreSQLNumeric.append(decimal, to: &bytes)
                return true
            }
        }
        ends.append((bytes.count, isNull))
    }

    /// Appends an array of one dimension.
    ///
    /// Source: `array_send` in PostgreSQL's `arrayfuncs.c`: number of dimensions, whether there are
    /// NULLs, type of the elements, then length and lower bound of each dimension, then each
    /// element with its length in front, -1 for NULL.
    ///
    /// - Parameters:
    ///   - elements: the elements.
    ///   - type: the type of the elements.
    ///   - write: appends an element; returns false for NULL.
    /// - Throws: ``StoreError`` with `refused` for an array that is too long; errors of `write`.
    private mutating func append<Element>(
        array elements: [Element],
        of type: UInt32,
        _ write: (Element, inout [UInt8]) throws(StoreError) -> Bool
    ) throws(StoreError) {
        Self.append(Int32(elements.isEmpty ? 0 : 1), to: &bytes)
        let flag = bytes.count
        Self.append(Int32(0), to: &bytes)
        Self.append(type, to: &bytes)
        guard !elements.isEmpty else { return }
        guard let count = Int32(exactly: elements.count) else {
            throw StoreError(.refused, "an array is too long for PostgreSQL")
        }
        Self.append(count, to: &bytes)
        Self.append(Int32(1), to: &bytes)
        for element in elements {
            let head = bytes.count
            Self.append(Int32(-1), to: &bytes)
            if try write(element, &bytes) {
                Self.put(Int32(clamping: bytes.count - head - 4), at: head, in: &bytes)
            } else {
                Self.put(Int32(1), at: flag, in: &bytes)
            }
        }
    }

    private static func wire(_ time: Int64) throws(StoreError) -> Int64 {
        guard let wire = PostgreSQLTime.wire(time) else {
            throw StoreError(.refused, "a time lies outside the years 1 to 9999")
        }
        return wire
    }

    /// Appends a number with its most significant byte first.
    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    private static func put(_ number: Int32, at index: Int, in bytes: inout [UInt8]) {
        for offset in 0..<4 {
            bytes[index + offset] = UInt8(truncatingIfNeeded: number >> (24 - 8 * offset))
        }
    }
}

extension EncodedStatement {
    /// Opens a transaction with a fixed isolation level, regardless of role and database settings.
    static let begin = EncodedStatement(
        unparameterized: "BEGIN ISOLATION LEVEL READ COMMITTED"
    )
    /// Commits a transaction.
    static let commit = EncodedStatement(unparameterized: "COMMIT")
    /// Rolls a transaction back.
    static let rollback = EncodedStatement(unparameterized: "ROLLBACK")

    /// Encodes statements.
    ///
    /// - Throws: ``StoreError`` with `refused` for a time outside the years 1 to 9999.
    static func list(
        _ statements: [PostgreSQLStatement]
    ) throws(StoreError) -> [EncodedStatement] {
        var list: [EncodedStatement] = []
        list.reserveCapacity(statements.count)
        for statement in statements { list.append(try EncodedStatement(statement)) }
        return list
    }
}
