import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite("Decimals are encoded in PostgreSQL's binary format")
struct PostgreSQLNumericTests {
    /// An independent reader of the format.
    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func number(_ byteCount: Int) throws -> Int64 {
            let bytes = try take(byteCount)
            let first = Int64(Int8(bitPattern: bytes[bytes.startIndex]))
            return bytes.dropFirst().reduce(first) { $0 << 8 | Int64($1) }
        }

        mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
            try #require(rest.count >= count)
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        /// The text of a `numeric`, as PostgreSQL shows it.
        mutating func numeric() throws -> String {
            let count = Int(try number(2))
            let weight = Int(try number(2))
            let sign = try number(2)
            let scale = Int(try number(2))
            var groups: [Int] = []
            for _ in 0..<count { groups.append(Int(try number(2))) }
            #expect(rest.isEmpty)
            #expect(groups.allSatisfy { (0..<10_000).contains($0) })
            // The server stores neither leading nor trailing zeros.
            #expect(groups.first != 0)
            #expect(groups.last != 0)
            #expect(sign == 0 || sign == 0x4000)
            #expect(count > 0 || (weight == 0 && sign == 0))
            let digits = { (place: Int) -> String in
                // Groups are counted from the point: 0 is the group before it.
                let index = weight - place
                let group = groups.indices.contains(index) ? groups[index] : 0
                let text = String(group)
                return String(repeating: "0", count: 4 - text.utf8.count) + text
            }
            var whole = ""
            for place in stride(from: max(weight, 0), through: 0, by: -1) { whole += digits(place) }
            whole = String(whole.drop { $0 == "0" })
            var fraction = ""
            var place = -1
            while fraction.utf8.count < scale {
                fraction += digits(place)
                place -= 1
            }
            let cut = fraction.dropFirst(scale)
            #expect(cut.allSatisfy { $0 == "0" })
            let tail = scale > 0 ? "." + fraction.prefix(scale) : ""
            return (sign == 0 ? "" : "-") + (whole.isEmpty ? "0" : whole) + tail
        }
    }

    private static func decimal(using random: inout SeededGenerator) -> String {
        let digits = { (count: Int, random: inout SeededGenerator) in
            // Zeros are the difficult digits.
            String((0..<count).map { _ in "000012349".randomElement(using: &random) ?? "0" })
        }
        let whole = String(
            digits(.random(in: 0...21, using: &random), &random).drop { $0 == "0" }
        )
        var fraction = digits(.random(in: 0...21, using: &random), &random)
        while fraction.last == "0" { fraction.removeLast() }
        let text = (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
        return text != "0" && Bool.random(using: &random) ? "-" + text : text
    }

    private static func text(of decimal: String) throws -> String {
        var bytes: [UInt8] = []
        PostgreSQLNumeric.append(decimal, to: &bytes)
        var reader = Reader(rest: bytes[...])
        return try reader.numeric()
    }

    @Test("random decimals are read back", arguments: Array(0..<20) as [UInt64])
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let decimal = Self.decimal(using: &random)
            #expect(CanonicalValues.isCanonical(decimal))
            #expect(try Self.text(of: decimal) == decimal)
        }
    }

    @Test("difficult decimals are read back", arguments: difficultDecimals)
    func difficult(decimal: String) throws {
        #expect(try Self.text(of: decimal) == decimal)
    }
}
