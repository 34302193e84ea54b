import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("Names and warnings are read strictly, row by row")
struct MarketReferenceDecoderTests {
    private static let nameFields: [(key: String, json: String)] = [
        ("market", #""KRW-XRP""#), ("korean_name", #""리플""#), ("english_name", #""Ripple""#),
        ("market_warning", #""CAUTION""#),
    ]
    private static let alertFields: [(key: String, json: String)] = [
        ("market", #""KRW-XRP""#), ("warning_type", #""PRICE_SUDDEN_FLUCTUATION""#),
        ("warning_step", #""DANGER""#), ("end_date", #""2026-11-21 06:59:59""#),
    ]
    private static let name = MarketNameDTO(
        market: "KRW-XRP",
        korean: "리플",
        english: "Ripple",
        isWarned: true
    )
    /// 2026-11-20T21:59:59Z.
    private static let end: Int64 = 1_795_211_999_000_000
    private static let alert = MarketAlertDTO(
        market: "KRW-XRP",
        type: "PRICE_SUDDEN_FLUCTUATION",
        step: "DANGER",
        endsAtMicroseconds: end
    )

    private func name(_ replacements: [String: String?] = [:]) -> String {
        BithumbFixtures.object(Self.nameFields, with: replacements)
    }

    private func alert(_ replacements: [String: String?] = [:]) -> String {
        BithumbFixtures.object(Self.alertFields, with: replacements)
    }

    private func names(_ rows: [String]) throws -> MarketNamesDTO {
        var decoder = MarketReferenceDecoder()
        return try decoder.markets(Array("[\(rows.joined(separator: ","))]".utf8))
    }

    private func alerts(_ rows: [String]) throws -> MarketAlertsDTO {
        var decoder = MarketReferenceDecoder()
        return try decoder.alerts(Array("[\(rows.joined(separator: ","))]".utf8))
    }

    private func failures(of body: [UInt8]) -> [DataSourceError?] {
        var decoder = MarketReferenceDecoder()
        var errors: [DataSourceError?] = []
        do {
            errors.append(
                try {
                    _ = try decoder.markets(body); return nil
                }()
            )
        } catch {
            errors.append(error as? DataSourceError)
        }
        do {
            errors.append(
                try {
                    _ = try decoder.alerts(body); return nil
                }()
            )
        } catch {
            errors.append(error as? DataSourceError)
        }
        return errors
    }

    @Test("a row of names is read field by field")
    func nameRow() throws {
        let rows = [
            name(), name(["market_warning": #""NONE""#]), name(["market_warning": nil]),
            name(["market_warning": "null", "english_name": nil, "more": "[1]"]),
            name(["korean_name": #""\ub9ac\ud50c""#]),
        ]
        let answer = try names(rows)
        #expect(answer.skippedCount == 0)
        #expect(answer.markets.first == Self.name)
        #expect(answer.markets.last == Self.name)
        #expect(answer.markets.map(\.isWarned) == [true, false, nil, nil, true])
        #expect(answer.markets.map(\.english) == ["Ripple", "Ripple", "Ripple", "", "Ripple"])
    }

    @Test(
        "a row of names without a market is counted",
        arguments: [
            #"{"korean_name":"가"}"#, "7", "null", "[]", #""KRW-XRP""#,
            #"{"market":7,"korean_name":"가"}"#, #"{"market":"","korean_name":"가"}"#,
            #"{"market":null,"korean_name":"가"}"#, #"{"market":"KRW\u0000","korean_name":"가"}"#,
        ]
    )
    func badMarkets(row: String) throws {
        let answer = try names([name(), row, name()])
        #expect(answer == MarketNamesDTO(markets: [Self.name, Self.name], skippedCount: 1))
    }

    @Test(
        "a market whose name or warning cannot be shown is listed without it",
        arguments: [
            "7", "null", #""""#, #""  ""#, #"["가"]"#, #""가\u0000나""#, #""가\u001b[31m""#,
            #""가\n""#, #""가\u007f""#, #""가\u0085""#, #""\u202e가""#, #""\u2066가""#, "true", "{}",
        ]
    )
    func badNames(json: String) throws {
        let rows = ["korean_name", "english_name", "market_warning"].map { name([$0: json]) }
        let answer = try names(rows + [#"{"market":"KRW-XRP"}"#])
        var expected = Array(repeating: Self.name, count: 4)
        expected[0].korean = ""
        expected[1].english = ""
        expected[2].isWarned = nil
        expected[3] = MarketNameDTO(market: "KRW-XRP", korean: "", english: "", isWarned: nil)
        #expect(answer == MarketNamesDTO(markets: expected))
    }

    @Test("a name has at most 100 characters; a longer one is left out")
    func longNames() throws {
        for character in ["a", "가", "😀"] {
            let longest = String(repeating: character, count: 100)
            let answer = try names([
                name(["korean_name": #""\#(longest)""#]),
                name(["korean_name": #""\#(longest + character)""#]),
                name(["english_name": #""\#(longest + character)""#]),
            ])
            #expect(answer.markets.map(\.korean) == [longest, "", "리플"])
            #expect(answer.markets.map(\.english) == ["Ripple", "Ripple", ""])
            #expect(answer.skippedCount == 0)
        }
        let huge = String(repeating: "가", count: 350_000)
        let answer = try names([name(["korean_name": #""\#(huge)""#]), name()])
        #expect(answer.markets.map(\.korean) == ["", "리플"])
    }

    @Test("a row of warnings is read field by field, with or without a step")
    func alertRow() throws {
        let answer = try alerts([alert(), alert(["warning_step": nil]), alert()])
        #expect(answer.alerts.count == 3 && answer.skippedCount == 0)
        #expect(answer.alerts.first == Self.alert)
        #expect(answer.alerts.map(\.step) == ["DANGER", nil, "DANGER"])
    }

    @Test(
        "an end that is not a valid time is unknown",
        arguments: [
            #""2026-02-30 06:59:59""#, #""2026-13-01 06:59:59""#, #""2026-11-21 24:00:00""#,
            #""2026-11-21""#, #""2026-11-21T06:59:59""#, #""2026-11-21 06:59:59 KST""#, #""""#,
            "null", "1795211999000", "{}", #""０""#,
        ]
    )
    func badEnds(json: String) throws {
        let answer = try alerts([alert(["end_date": json])])
        var expected = Self.alert
        expected.endsAtMicroseconds = nil
        #expect(answer == MarketAlertsDTO(alerts: [expected]))
    }

    @Test("an end is in Seoul time, leap days included")
    func ends() throws {
        let answer = try alerts([
            alert(["end_date": #""1970-01-01 09:00:01""#]),
            alert(["end_date": #""2028-02-29 09:00:00""#]),
        ])
        let seconds = answer.alerts.compactMap(\.endsAtMicroseconds).map { $0 / 1_000_000 }
        #expect(seconds == [1, 1_835_395_200])
    }

    @Test(
        "a warning without market or type, or with an unprintable text, is counted",
        arguments: [
            #"{"market":"KRW-XRP"}"#, #"{"warning_type":"A"}"#, "[]",
            #"{"market":"KRW-XRP","warning_type":"A\u0007"}"#,
            #"{"market":"KRW-XRP","warning_type":7}"#,
            #"{"market":"KRW-XRP","warning_type":"A","warning_step":7}"#,
            #"{"market":"KRW-XRP","warning_type":"A","warning_step":"\u0000"}"#,
        ]
    )
    func badAlerts(row: String) throws {
        let answer = try alerts([row, alert()])
        #expect(answer == MarketAlertsDTO(alerts: [Self.alert], skippedCount: 1))
    }

    @Test(
        "an error has its name, number or text, wrapped or bare",
        arguments: [
            (#"{"error":{"name":404,"message":"Code not found"}}"#, "404", "Code not found"),
            (#"{"error":{"name":"invalid_parameter","message":"가"}}"#, "invalid_parameter", "가"),
            (#"{"name":"not_found","message":"No Route"}"#, "not_found", "No Route"),
            (#"{"message":"x","name":400}"#, "400", "x"),
            (#"{"error":{"message":7,"name":"400","more":[1]},"at":1}"#, "400", "7"),
            (#"{"error":{"name":500}}"#, "500", ""),
            (#"{"status":"5600","message":"Please try again"}"#, "5600", "Please try again"),
        ]
    )
    func errors(body: String, name: String, message: String) {
        for error in failures(of: Array(body.utf8)) {
            #expect(error?.code == .refused(status: name, message: message))
        }
    }

    @Test(
        "a body that is neither a list nor an error is malformed",
        arguments: [
            "", " ", "<!DOCTYPE html><html><body>점검 중</body></html>", "{}", "7", "null",
            #""KRW-XRP""#, #"{"error":"x"}"#, #"{"error":{}}"#, #"{"error":{"name":null}}"#,
            #"{"status":"0000","data":[]}"#, "[", "[]]", "[] []", "[{]", "[7,]", #"[{"market":}]"#,
            #"{"error":{"name":404}"#, #"[{"market":"\ud800"}]"#, "[nul]",
        ]
    )
    func malformed(body: String) {
        for error in failures(of: Array(body.utf8)) { #expect(error?.code == .malformed) }
    }

    @Test("a body truncated anywhere is malformed, and so is invalid UTF-8")
    func cuts() throws {
        let bodies = ["[\(name()),\(name())]", "[\(alert())]"]
        for body in bodies {
            let bytes = Array(body.utf8)
            #expect(failures(of: bytes).contains { $0 == nil })
            for length in bytes.indices {
                let errors = failures(of: Array(bytes[..<length]))
                #expect(errors.allSatisfy { $0?.code == .malformed }, "cut at \(length)")
            }
        }
        for bytes in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            let body = Array(#"[{"korean_name":""#.utf8) + bytes + Array(#""}]"#.utf8)
            #expect(failures(of: body).allSatisfy { $0?.detail == "the body is not UTF-8" })
        }
    }

    @Test("an empty list is valid, too many rows are not")
    func limits() throws {
        #expect(try names([]) == MarketNamesDTO(markets: []))
        #expect(try alerts([]) == MarketAlertsDTO(alerts: []))
        let row = #"{"market":"KRW-A","korean_name":"가","warning_type":"B"}"#
        #expect(try names(Array(repeating: row, count: 5_000)).markets.count == 5_000)
        #expect(try alerts(Array(repeating: row, count: 20_000)).alerts.count == 20_000)
        let tooMany = #expect(throws: DataSourceError.self) {
            try names(Array(repeating: row, count: 5_001))
        }
        #expect(tooMany == DataSourceError(.malformed, "data has too many entries"))
        #expect(throws: DataSourceError.self) { try alerts(Array(repeating: row, count: 20_001)) }
    }
}
