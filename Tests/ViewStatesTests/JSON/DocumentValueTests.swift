import Domain
import Foundation
import JSON
import TestSupport
import Testing

@testable import ViewStates

@Suite("Decimals and times have one form in JSON")
struct DocumentValueTests {
    private func json(_ value: some DocumentValue) throws -> OrderedJSON {
        var json = JSONWriter()
        value.write(to: &json)
        return try OrderedJSON(json.bytes)
    }

    @Test(
        "decimals are strings in canonical form",
        arguments: [
            ("0", "0"), ("-0", "0"), ("1.50", "1.5"), ("100", "100"), (".5", "0.5"),
            ("1e-7", "0.0000001"), ("-12.340", "-12.34"),
            ("0.1234567890123456785", "0.123456789012345678"),
        ] as [(FixedDecimal, String)]
    )
    func decimals(value: FixedDecimal, text: String) throws {
        #expect(try json(value) == .string(text))
    }

    @Test("times have microseconds and the offset of Seoul; unknown values are null")
    func timesAndNull() throws {
        #expect(try json(SampleBoard.start) == .string("2026-11-20T21:03:10.000000+09:00"))
        #expect(try json(Timestamp?.none) == .null)
        #expect(try json([FixedDecimal?.none, "1"]) == .array([.null, .string("1")]))
    }

    @Test("maps are ordered by number, then by name")
    func maps() throws {
        #expect(try json(["b": 1, "20": 2, "5": 3, "a": 4]).keys == ["5", "20", "a", "b"])
    }

    @Test("decimals and times are decoded from their own forms only")
    func decoding() {
        let decoder = JSONDecoder()
        for text in ["[1.5]", #"["1,5"]"#, #"[""]"#, "[null]", #"["NaN"]"#] {
            #expect(throws: DecodingError.self) {
                try decoder.decode([FixedDecimal].self, from: Data(text.utf8))
            }
        }
        for text in ["[0]", #"["2026-11-20"]"#, "[null]"] {
            #expect(throws: DecodingError.self) {
                try decoder.decode([Timestamp].self, from: Data(text.utf8))
            }
        }
    }
}
