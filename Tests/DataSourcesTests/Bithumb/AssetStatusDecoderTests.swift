import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("The asset status decoder reads each coin strictly")
struct AssetStatusDecoderTests {
    private func decode(_ body: String) throws -> AssetStatusesDTO {
        var decoder = AssetStatusDecoder()
        return try decoder.decode(Array(body.utf8))
    }

    private func coin(_ deposit: String, _ withdrawal: String) -> String {
        #"{"withdrawal_status":\#(withdrawal),"deposit_status":\#(deposit)}"#
    }

    @Test("each coin has its own two flags, in the order of the response")
    func states() throws {
        let body = BithumbFixtures.answer([
            ("BTC", coin("1", "0")), ("XRP", coin("0", "1")), ("1INCH", coin("1", "1")),
            ("SUN_OLD", coin("0", "0")),
        ])
        let answer = try decode(body)
        #expect(answer.assets.map(\.asset) == ["BTC", "XRP", "1INCH", "SUN_OLD"])
        #expect(answer.assets.map(\.isDepositOpen) == [true, false, true, false])
        #expect(answer.assets.map(\.isWithdrawalOpen) == [false, true, true, false])
        #expect(answer.skippedCount == 0)
    }

    @Test(
        "a flag is 0 or 1, bare or text; other values are unknown",
        arguments: [
            ("1", true), ("0", false), (#""1""#, true), (#""0""#, false), ("2", nil), ("-1", nil),
            ("true", nil), ("null", nil), (#""""#, nil), (#""open""#, nil), ("0.5", nil),
            ("10", nil), ("[1]", nil), (#"{"is":1}"#, nil), ("18446744073709551617", nil),
        ] as [(String, Bool?)]
    )
    func flags(json: String, isOpen: Bool?) throws {
        let answer = try decode(BithumbFixtures.answer([("A", coin(json, "1"))]))
        let expected = AssetStatusDTO(asset: "A", isDepositOpen: isOpen, isWithdrawalOpen: true)
        #expect(answer == AssetStatusesDTO(assets: [expected]))
        let mirrored = try decode(BithumbFixtures.answer([("A", coin("0", json))]))
        #expect(mirrored.assets.map(\.isWithdrawalOpen) == [isOpen])
    }

    @Test("an invalid entry is counted without affecting others")
    func entries() throws {
        let body = BithumbFixtures.answer([
            ("A", "[]"), ("B", "1"), ("", coin("1", "1")), ("C", "{}"), ("D", coin("1", "1")),
            (String(repeating: "E", count: 65), coin("1", "1")), ("F", "null"),
        ])
        let answer = try decode(body)
        #expect(answer.assets.map(\.asset) == ["C", "D"])
        #expect(answer.assets.map(\.isDepositOpen) == [nil, true])
        #expect(answer.skippedCount == 5)
    }

    @Test("the last of repeated entries of a coin counts")
    func repeated() throws {
        let body = BithumbFixtures.answer([
            ("A", coin("1", "1")), ("B", coin("1", "1")), ("A", coin("0", "0")),
        ])
        let answer = try decode(body)
        #expect(answer.assets.map(\.asset) == ["B", "A"])
        #expect(answer.assets.last?.isDepositOpen == false)
        #expect(answer.skippedCount == 1)
    }

    @Test("a truncated body, a refusal or too many coins are errors")
    func noAnswers() throws {
        let body = BithumbFixtures.answer([("A", coin("1", "1")), ("가", coin("0", "1"))])
        _ = try decode(body)
        var decoder = AssetStatusDecoder()
        let bytes = Array(body.utf8)
        for length in bytes.indices {
            let error = #expect(throws: DataSourceError.self) {
                try decoder.decode(Array(bytes[..<length]))
            }
            #expect(error?.code == .malformed, "cut at \(length)")
        }
        let many = { (count: Int) in
            BithumbFixtures.answer((0..<count).map { ("C\($0)", coin("1", "1")) })
        }
        #expect(try decode(many(5_000)).assets.count == 5_000)
        let tooMany = #expect(throws: DataSourceError.self) { try decode(many(5_001)) }
        #expect(tooMany?.detail == "data has too many entries")
        let refusal = #"{"status":"5500","message":"상장 코인 아님"}"#
        let error = #expect(throws: DataSourceError.self) { try decode(refusal) }
        #expect(error?.code == .refused(status: "5500", message: "상장 코인 아님"))
    }
}
