import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("A ticker/ALL decoder refuses invalid bodies with a reason")
struct TickerAllRefusalTests {
    private func failure(of body: [UInt8]) -> DataSourceError? {
        var decoder = TickerAllDecoder()
        do {
            _ = try decoder.decode(body)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a status other than 0000 is thrown with the server's message",
        arguments: [
            (
                #"{"status":"5500","message":"입력값을 확인해 주세요."}"#,
                "5500", "입력값을 확인해 주세요."
            ),
            (#"{"message":"Please try again","status":"5600"}"#, "5600", "Please try again"),
            (#"{"status":"5100"}"#, "5100", ""),
            (#"{"status":5900,"message":null}"#, "5900", ""),
            (#"{"status":"5500","message":"\uc0c1\uc7a5","data":[]}"#, "5500", "상장"),
            (#"{"status":"","message":["x"]}"#, "", ""),
            (#"{"data":{"BTC":{"closing_price":"1"}},"status":"5600"}"#, "5600", ""),
        ]
    )
    func refusals(body: String, status: String, message: String) {
        #expect(failure(of: Array(body.utf8))?.code == .refused(status: status, message: message))
    }

    @Test("a long server message is truncated between characters")
    func longMessage() throws {
        let message = String(repeating: "가", count: 1_000)
        let error = failure(of: Array(#"{"status":"5600","message":"\#(message)"}"#.utf8))
        let cut = String(repeating: "가", count: 341)
        #expect(error?.code == .refused(status: "5600", message: cut))
    }

    @Test(
        "an undocumented body is malformed",
        arguments: [
            ("", "the body is empty"),
            ("   ", "the body is empty"),
            ("<!DOCTYPE html><html><body>점검 중</body></html>", "the body is not"),
            ("Bad Gateway", "the body is not"),
            ("[]", "the body is not a JSON object"),
            (#"[{"status":"0000","data":{}}]"#, "the body is not a JSON object"),
            ("null", "the body is not"), ("12", "the body is not"), (#""0000""#, "the body is not"),
            ("{}", "status is missing"),
            (#"{"data":{}}"#, "status is missing"),
            (#"{"status":null,"data":{}}"#, "status is missing"),
            (#"{"status":["0000"],"data":{}}"#, "status is missing"),
            (#"{"status":"0000"}"#, "data is missing"),
            (#"{"status":"0000","data":null}"#, "data is missing"),
            (#"{"status":"0000","data":[]}"#, "data is not an object"),
            (#"{"status":"0000","data":[{"A":{}}]}"#, "data is not an object"),
            (#"{"status":"0000","data":"BTC"}"#, "data is not an object"),
            (#"{"status":"0000","data":{}} {}"#, "the body is not JSON"),
            (#"{"status":"0000","data":{}}}"#, "the body is not JSON"),
            (#"{"status":"0000","data":{}}rest"#, "the body is"),
            (#"{"status":"0000","data":{},}"#, "the body is not JSON"),
            (#"{"status":"0000" "data":{}}"#, "the body is not JSON"),
            (#"{"status":"0000","data":{"A":}}"#, "the body is not JSON"),
            (#"{"status":"0000","data":{"A":{]}}"#, "the body is not JSON"),
            (#"{"status":"0000","data":{"A":[}]}"#, "the body is not JSON"),
            (#"{"status":"0000","data":{"A":[1}}}"#, "the body is not JSON"),
            (#"{"status":"0000","data":{A:[]}}"#, "the body is not JSON"),
            (#"{"status":"0000","data":{"A":{"x":nul}}}"#, "the body is not JSON"),
            (#"{"status":0000,"data":{}}"#, "the body is not JSON"),
            (#"{"status":"0000","x":"\q","data":{}}"#, "the body is not JSON"),
            (#"{"status":"0000","data":{"\ud800":[]}}"#, "the body is not JSON"),
            ("{\"status\":\"0000\",\"data\":{\"A\u{1}\":[]}}", "the body is not JSON"),
            (#"{"status":"0000","data":{"A":{"closing_price":"1}}}"#, "the body is cut short"),
        ]
    )
    func malformed(body: String, reason: String) throws {
        let error = try #require(failure(of: Array(body.utf8)))
        #expect(error.code == .malformed)
        #expect(error.detail.hasPrefix(reason))
    }

    @Test(
        "invalid UTF-8 anywhere in a body is malformed",
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xEA, 0xB0]] as [[UInt8]]
    )
    func invalidUTF8(bytes: [UInt8]) throws {
        for place in [#"{"status":"0000","data":{"@":[]}}"#, #"{"status":"5500","message":"@"}"#] {
            let body = place.utf8.flatMap { $0 == UInt8(ascii: "@") ? bytes : [$0] }
            let error = try #require(failure(of: body))
            #expect(error == DataSourceError(.malformed, "the body is not UTF-8"))
        }
    }

    @Test("a truncated body is malformed")
    func everyCut() {
        let body = Array(
            BithumbFixtures.answer(
                [("BTC", BithumbFixtures.coin()), ("OLD", "[]"), ("가", BithumbFixtures.coin())],
                date: #""1790133914965""#
            ).utf8
        )
        #expect(failure(of: body) == nil)
        for length in 0..<body.count {
            #expect(failure(of: Array(body[..<length]))?.code == .malformed, "cut at \(length)")
        }
    }

    @Test("a body with too many entries or too deep nesting is malformed")
    func limits() {
        func nested(_ depth: Int) -> [UInt8] {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return Array(#"{"status":"0000","data":{},"extra":\#(value)}"#.utf8)
        }
        #expect(failure(of: nested(32)) == nil)
        #expect(failure(of: nested(33))?.detail == "the body nests too deeply")
        #expect(failure(of: nested(100_000))?.detail == "the body nests too deeply")

        func many(_ count: Int) -> [UInt8] {
            Array(BithumbFixtures.answer((0..<count).map { ("C\($0)", "[]") }).utf8)
        }
        #expect(failure(of: many(16_384)) == nil)
        #expect(failure(of: many(16_385))?.detail == "data has too many entries")
    }

    @Test("a coin with a code beyond 64 bytes is skipped and named up to a whole character")
    func longKey() throws {
        var decoder = TickerAllDecoder()
        let key = String(repeating: "가", count: 22)
        let body = BithumbFixtures.answer([
            (key, BithumbFixtures.coin()), ("A", BithumbFixtures.coin()),
        ])
        let answer = try decoder.decode(Array(body.utf8))
        #expect(answer.tickers.map(\.symbol) == ["A"])
        let note = SkippedEntryDTO(
            key: String(key.prefix(21)),
            reason: "the key is longer than 64 bytes"
        )
        #expect(answer.skipped == [note])
    }
}
