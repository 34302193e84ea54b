import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite("Values round-trip through PostgreSQL", .enabled(if: TestDatabase.isAvailable))
struct PostgreSQLValueTests {
    /// Texts that are prone to escaping errors.
    private static func text(_ generator: inout SeededGenerator) -> String {
        let pieces = ["", "\u{0}", "\\", "\\0", "\\\\", "a", "가", "🪙", "'", "{NULL}", "\n", "\""]
        let count = Int.random(in: 0..<8, using: &generator)
        return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }

    private static func number(_ generator: inout SeededGenerator) -> Int64 {
        let wide = Int64(bitPattern: generator.next())
        // Every length is as likely as any other.
        return wide >> Int64.random(in: 0..<64, using: &generator)
    }

    private static func time(_ generator: inout SeededGenerator) -> Int64 {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: PostgreSQLTime.range.lowerBound
        case 1: PostgreSQLTime.range.upperBound
        case 2: 0
        case 3: 946_684_800_000_000
        default: Int64.random(in: PostgreSQLTime.range, using: &generator)
        }
    }

    private static func list<Element>(
        _ generator: inout SeededGenerator,
        of element: (inout SeededGenerator) -> Element
    ) -> [Element] {
        (0..<Int.random(in: 0..<6, using: &generator)).map { _ in element(&generator) }
    }

    @Test("single values round-trip")
    func singles() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                var generator = SeededGenerator(seed: 1)
                for _ in 0..<300 {
                    let text = Self.text(&generator)
                    let number = Self.number(&generator)
                    let time = Self.time(&generator)
                    let bytes = Self.list(&generator) { UInt8.random(in: 0...255, using: &$0) }
                    let flag = Bool.random(using: &generator)
                    let values: [PostgreSQLValue] = [
                        .text(text), .integer(number), .time(time), .bytes(bytes), .bool(flag),
                        .null,
                    ]
                    let row = try await pool.read(
                        """
                        SELECT $1::text, $2::bigint, $3::timestamptz, $4::bytea, $5::boolean,
                        $6::text
                        """,
                        values
                    )[0]
                    #expect(try row.text(0) == text)
                    // Equality of texts is that of characters; here each byte counts.
                    #expect(try Array(row.text(0).utf8) == Array(text.utf8))
                    #expect(try row.integer(1) == number)
                    #expect(try row.time(2) == time)
                    #expect(try row.bytes(3) == bytes)
                    #expect(try row.bool(4) == flag)
                    #expect(try row.optionalText(5) == nil)
                }
            }
        }
    }

    @Test("arrays round-trip, empty ones and NULLs included")
    func arrays() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                var generator = SeededGenerator(seed: 2)
                for _ in 0..<200 {
                    let texts = Self.list(&generator) { generator -> String? in
                        Bool.random(using: &generator) ? Self.text(&generator) : nil
                    }
                    let numbers = Self.list(&generator, of: Self.number)
                    let times = Self.list(&generator) { generator -> Int64? in
                        Bool.random(using: &generator) ? Self.time(&generator) : nil
                    }
                    let rows = try await pool.perform(
                        [
                            PostgreSQLStatement(
                                "SELECT * FROM unnest($1::text[])",
                                [.texts(texts)]
                            ),
                            PostgreSQLStatement(
                                "SELECT * FROM unnest($1::bigint[])",
                                [.integers(numbers)]
                            ),
                            PostgreSQLStatement(
                                "SELECT * FROM unnest($1::timestamptz[])",
                                [.times(times)]
                            ),
                        ],
                        as: .reading
                    )
                    #expect(try rows[0].map { try $0.optionalText(0) } == texts)
                    #expect(try rows[1].map { try $0.integer(0) } == numbers)
                    #expect(try rows[2].map { try $0.optionalTime(0) } == times)
                }
            }
        }
    }

    @Test("the server stores the same values")
    func literals() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                let row = try await pool.read(
                    """
                    SELECT $1::timestamptz = '2024-02-29 23:59:59.123456+00', $2::bigint = -42,
                    $3::text = '한글 \\\\ \\0', $4::bytea = '\\x00ff'::bytea,
                    'infinity'::timestamptz, 5::smallint, -6::integer, '77'::xid8,
                    '0001-01-01 00:00:00+00'::timestamptz - '1 us'::interval
                    """,
                    [
                        .time(1_709_251_199_123_456), .integer(-42), .text("한글 \\ \u{0}"),
                        .bytes([0, 255]),
                    ]
                )[0]
                for column in 0..<4 { #expect(try row.bool(column)) }
                #expect(throws: StoreError.self) { try row.time(4) }
                #expect(try row.integer(5) == 5)
                #expect(try row.integer(6) == -6)
                #expect(try row.integer(7) == 77)
                #expect(throws: StoreError.self) { try row.time(8) }
            }
        }
    }

    @Test("a column of another type is incompatible")
    func mismatches() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                let row = try await pool.read("SELECT 'a', 1::bigint, NULL::text, 1.5")[0]
                let mistakes: [() throws -> Void] = [
                    { _ = try row.integer(0) }, { _ = try row.text(1) }, { _ = try row.text(2) },
                    { _ = try row.text(3) }, { _ = try row.time(1) }, { _ = try row.bool(0) },
                    { _ = try row.bytes(0) }, { _ = try row.text(4) }, { _ = try row.text(-1) },
                ]
                for mistake in mistakes {
                    let error = #expect(throws: StoreError.self) { try mistake() }
                    #expect(error?.code == .incompatible)
                }
            }
        }
    }
}

@Suite("Values are encoded for PostgreSQL")
struct PostgreSQLEncodingTests {
    @Test(
        "times outside the years 1 to 9999 are refused",
        arguments: [
            PostgreSQLTime.range.lowerBound - 1, PostgreSQLTime.range.upperBound + 1, .min, .max,
        ]
    )
    func times(time: Int64) {
        for value in [PostgreSQLValue.time(time), .times([0, time, nil])] {
            let error = #expect(throws: StoreError.self) {
                try EncodedStatement(PostgreSQLStatement("SELECT $1", [value]))
            }
            #expect(error?.code == .refused)
        }
    }

    @Test("an escaped text is read back unchanged")
    func escapes() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let alphabet = [0, UInt8(ascii: "\\"), UInt8(ascii: "0"), UInt8(ascii: "x")]
            let bytes = (0..<Int.random(in: 0..<10, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            let text = String(decoding: bytes, as: UTF8.self)
            var kept: [UInt8] = []
            PostgreSQLText.append(text, to: &kept)
            #expect(!kept.contains(0))
            #expect(PostgreSQLText.text(of: kept[...]) == text)
        }
    }

    @Test(
        "unescaped text is read unchanged",
        arguments: [
            ("a\\", "a\\"), ("\\n", "\\n"), ("\\\\\\", "\\\\"), ("\\0\\", "\u{0}\\"), ("", ""),
        ]
    )
    func foreign(kept: String, text: String) {
        #expect(PostgreSQLText.text(of: Array(kept.utf8)[...]) == text)
    }
}
