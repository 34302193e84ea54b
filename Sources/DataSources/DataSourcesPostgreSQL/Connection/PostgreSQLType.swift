/// The types of PostgreSQL that this program sends or reads, by their object identifiers.
///
/// They are the same in every server. Source: `pg_type.dat` of PostgreSQL 15.
enum PostgreSQLType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let name: UInt32 = 19
    static let bigint: UInt32 = 20
    static let smallint: UInt32 = 21
    static let integer: UInt32 = 23
    static let text: UInt32 = 25
    static let varchar: UInt32 = 1_043
    static let timestamptz: UInt32 = 1_184
    static let bigints: UInt32 = 1_016
    static let texts: UInt32 = 1_009
    static let timestamptzs: UInt32 = 1_185
    static let numeric: UInt32 = 1_700
    static let numerics: UInt32 = 1_231
    static let xid8: UInt32 = 5_069
}

/// Times as PostgreSQL sends them: microseconds since the year 2000.
enum PostgreSQLTime {
    /// From 1970 to 2000, in microseconds.
    private static let epoch: Int64 = 946_684_800_000_000
    /// The years 1 to 9999, in microseconds since 1970: what every calendar in use can write.
    static let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    /// Microseconds since 2000 of those since 1970; nil outside ``range``.
    static func wire(_ time: Int64) -> Int64? {
        range.contains(time) ? time - epoch : nil
    }

    /// Microseconds since 1970 of those since 2000; nil for infinity and outside ``range``.
    static func time(wire: Int64) -> Int64? {
        let (time, overflow) = wire.addingReportingOverflow(epoch)
        return !overflow && range.contains(time) ? time : nil
    }
}
