public import DataSourceContracts

/// The result of a statement, copied out of libpq's memory: rows and the number of changed rows.
///
/// Reading a column as another type throws `incompatible`, because then the schema does not match
/// this version.
public struct PostgreSQLRows: Sendable, RandomAccessCollection {
    /// The rows that the statement inserted, changed, deleted, copied or returned.
    public let changedRows: Int

    private let cells: Cells

    /// The first row's position.
    public let startIndex = 0
    /// The number of rows.
    public let endIndex: Int

    /// Makes rows of copied cells.
    init(types: [UInt32], rowCount: Int, bytes: [UInt8], ends: [Int], changedRows: Int) {
        precondition(ends.count == types.count * rowCount, "Each row has a cell in each column.")
        cells = Cells(types: types, bytes: bytes, ends: ends)
        self.changedRows = changedRows
        endIndex = rowCount
    }

    /// A row.
    public subscript(position: Int) -> Row {
        precondition(indices.contains(position), "There is no such row.")
        return Row(cells: cells, index: position)
    }

    /// One row; columns are numbered from 0.
    public struct Row: Sendable {
        fileprivate let cells: Cells
        fileprivate let index: Int
    }

    /// The storage that all rows share.
    fileprivate final class Cells: Sendable {
        /// The type of each column.
        let types: [UInt32]
        /// All cells one after the other, row by row.
        private let bytes: [UInt8]
        /// The end of each cell in ``bytes``; its complement, which is negative, for NULL.
        private let ends: [Int]

        init(types: [UInt32], bytes: [UInt8], ends: [Int]) {
            self.types = types
            self.bytes = bytes
            self.ends = ends
        }

        /// The bytes of a cell; nil for NULL.
        func cell(_ row: Int, _ column: Int) -> ArraySlice<UInt8>? {
            let place = row * types.count + column
            let end = ends[place]
            guard end >= 0 else { return nil }
            let before = place == 0 ? 0 : ends[place - 1]
            return bytes[(before < 0 ? ~before : before)..<end]
        }
    }
}

extension PostgreSQLRows.Row {
    /// A `bigint`, `integer`, `smallint` or `xid8`.
    public func integer(_ column: Int) throws(StoreError) -> Int64 {
        try present(optionalInteger(column), column)
    }

    /// A `bigint`, `integer`, `smallint` or `xid8`, or NULL.
    public func optionalInteger(_ column: Int) throws(StoreError) -> Int64? {
        let width: Int
        switch try type(column) {
        case PostgreSQLType.bigint, PostgreSQLType.xid8: width = 8
        case PostgreSQLType.integer: width = 4
        case PostgreSQLType.smallint: width = 2
        default: throw mismatch(column, "a whole number")
        }
        guard let cell = cell(column) else { return nil }
        guard cell.count == width else { throw mismatch(column, "a whole number") }
        // Narrower integers are sign-extended.
        let raw = cell.reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let spare = 64 - 8 * width
        return (raw << spare) >> spare
    }

    /// A text, as it was given to ``PostgreSQLValue/text(_:)``.
    public func text(_ column: Int) throws(StoreError) -> String {
        try present(optionalText(column), column)
    }

    /// A text, or NULL.
    public func optionalText(_ column: Int) throws(StoreError) -> String? {
        switch try type(column) {
        case PostgreSQLType.text, PostgreSQLType.varchar, PostgreSQLType.name: break
        default: throw mismatch(column, "text")
        }
        return cell(column).map(PostgreSQLText.text(of:))
    }

    /// A `timestamptz` in microseconds since 1970 UTC; `infinity` is none.
    public func time(_ column: Int) throws(StoreError) -> Int64 {
        try present(optionalTime(column), column)
    }

    /// A `timestamptz` in microseconds since 1970 UTC, or NULL.
    public func optionalTime(_ column: Int) throws(StoreError) -> Int64? {
        guard try type(column) == PostgreSQLType.timestamptz else {
            throw mismatch(column, "a time")
        }
        guard let cell = cell(column) else { return nil }
        let wire = cell.reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard cell.count == 8, let time = PostgreSQLTime.time(wire: wire) else {
            throw mismatch(column, "a time of the years 1 to 9999")
        }
        return time
    }

    /// A `boolean`.
    public func bool(_ column: Int) throws(StoreError) -> Bool {
        guard try type(column) == PostgreSQLType.bool else { throw mismatch(column, "a boolean") }
        return try present(cell(column)?.first, column) != 0
    }

    /// A `bytea`.
    public func bytes(_ column: Int) throws(StoreError) -> [UInt8] {
        try present(optionalBytes(column), column)
    }

    /// A `bytea`, or NULL.
    public func optionalBytes(_ column: Int) throws(StoreError) -> [UInt8]? {
        guard try type(column) == PostgreSQLType.bytea else { throw mismatch(column, "bytes") }
        return cell(column).map(Array.init)
    }

    // MARK: Cells

    private func cell(_ column: Int) -> ArraySlice<UInt8>? { cells.cell(index, column) }

    private func type(_ column: Int) throws(StoreError) -> UInt32 {
        guard cells.types.indices.contains(column) else { throw mismatch(column, "there") }
        return cells.types[column]
    }

    private func present<Value>(_ value: Value?, _ column: Int) throws(StoreError) -> Value {
        guard let value else { throw mismatch(column, "present") }
        return value
    }

    private func mismatch(_ column: Int, _ wanted: String) -> StoreError {
        StoreError(
            .incompatible,
            "column \(column + 1) of an answer is not \(wanted): "
                + "use a compatible version of hoga, see 'hoga migrate status'"
        )
    }
}
