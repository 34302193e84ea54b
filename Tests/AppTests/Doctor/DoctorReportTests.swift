import DataSourceContracts
import Domain
import Foundation
import ViewStates
import TestSupport
import Testing

@testable import App

@Suite("The doctor report has a line for each check and a fix for each problem")
struct DoctorReportTests {
    private static let report = DoctorReport(
        lines: [
            .init(name: "rest", finding: .ok("480 markets"), duration: .milliseconds(12)),
            .init(
                name: "clock",
                finding: .warn("clock off by +3000 ms", "set the clock"),
                duration: .microseconds(900)
            ),
            .init(
                name: "store file",
                finding: .fail("a \"b\"\n\u{1B}[2J", "make it writable"),
                duration: .seconds(2)
            ),
        ]
    )

    @Test("text is aligned, with the fix below a problem")
    func text() {
        #expect(
            Self.report.text == """
                ok    rest        480 markets, 12 ms
                warn  clock       clock off by +3000 ms, 0 ms
                                  -> set the clock
                FAIL  store file  a "b"\\u000a\\u001b[2J, 2000 ms
                                  -> make it writable
                """
        )
        #expect(Self.report.failureCount == 1)
    }

    @Test("JSON has the same content")
    func json() throws {
        let json = try OrderedJSON(Array(Self.report.json.utf8))
        #expect(json.keys == ["failures", "checks"])
        #expect(json["failures"] == .number("1"))
        guard case .array(let checks) = json["checks"] else {
            Issue.record("no array of checks")
            return
        }
        #expect(checks.count == 3)
        #expect(checks[0].keys == ["name", "level", "text", "remedy", "milliseconds"])
        #expect(checks[0]["remedy"] == .null && checks[0]["level"] == .string("ok"))
        #expect(checks[1]["level"] == .string("warn"))
        #expect(checks[2]["level"] == .string("fail"))
        #expect(checks[2]["text"] == .string("a \"b\"\n\u{1B}[2J"))
    }

    @Test("checks run concurrently, keep their order, and fail at their time limit")
    func limits() async {
        // The first waits for the last: one after the other they would wait for ever.
        let (signal, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1)
        )
        let report = await DoctorReport.make(
            of: [
                DoctorCheck("first", limit: .seconds(600)) {
                    for await _ in signal { break }
                    return .ok("woken")
                },
                DoctorCheck("hangs", limit: .milliseconds(1)) {
                    try? await Task.sleep(for: .seconds(600))
                    return .ok("never")
                },
                DoctorCheck("last", limit: .seconds(600)) {
                    continuation.yield()
                    return .ok("wakes")
                },
            ],
            clock: ContinuousClock()
        )
        #expect(report.lines.map(\.name) == ["first", "hangs", "last"])
        #expect(report.lines.map(\.finding.level) == [.ok, .fail, .ok])
        #expect(report.lines[1].finding.text == "no answer within 1 ms")
        #expect(report.lines[1].finding.remedy != nil)
    }

    @Test(
        "every failure of the exchange has a fix",
        arguments: [
            .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus(503),
            .httpStatus(404), .refused(status: "5600", message: "words"),
            .rateLimited(retryAfter: .seconds(60)), .malformed, .ended, .cancelled,
        ] as [DataSourceError.Code]
    )
    func exchangeRemedies(code: DataSourceError.Code) {
        let finding = ExchangeChecks.finding(DataSourceError(code, "ticker/ALL_KRW"))
        #expect(finding.level == .fail && finding.text.hasPrefix("ticker/ALL_KRW"))
        #expect(finding.remedy?.isEmpty == false)
        if case .refused = code { #expect(finding.text.hasSuffix("5600 words")) }
        if code == .untrusted { #expect(finding.remedy?.contains("HOGA_CA_FILE") == true) }
        if code == .proxy { #expect(finding.remedy?.contains("HOGA_PROXY") == true) }
    }

    @Test("an unknown name is the end of an API if the other one answers, else a failure")
    func unknownName() {
        let error = DataSourceError(.unknownHost, "pubwss.bithumb.com")
        for generation in APIGeneration.allCases {
            let end = ExchangeChecks.finding(error, of: generation, isOtherAnswering: true)
            #expect(end.level == .warn && end.remedy?.hasPrefix("nothing") == true)
            #expect(ExchangeChecks.finding(error, of: generation).level == .fail)
        }
        #expect(ExchangeChecks.finding(error, isOtherAnswering: true).level == .fail)
    }

    @Test(
        "every failure of a store has a fix that names the setting",
        arguments: [
            .unavailable, .busy, .full, .readOnly, .damaged, .incompatible, .conflict, .tooMany,
            .notFound, .refused, .unauthorized, .forbidden, .fenced,
        ] as [StoreError.Code]
    )
    func storeRemedies(code: StoreError.Code) {
        let finding = StoreChecks.failure(
            StoreError(code, "what and where"),
            naming: .databaseSessionURL
        )
        #expect(finding.level == .fail && finding.text == "what and where")
        #expect(finding.remedy?.isEmpty == false)
        if code == .unavailable || code == .unauthorized {
            #expect(finding.remedy?.contains("HOGA_DATABASE_SESSION_URL") == true)
        }
    }
}

@Suite("The clock check compares the date of an answer")
struct ClockSkewTests {
    @Test(
        "an unreadable date is a warning",
        arguments: [
            "", "now", "Sat, 21 Nov 2026 02:21:56", "Sat, 21 Nov 2026 02:21:56 KST",
            "Sat, 32 Nov 2026 02:21:56 GMT", "Sat, 21 Foo 2026 02:21:56 GMT",
            "Sat, 21 Nov 2026 24:21:56 GMT", "Sat, 21 Nov 2026 02:21 GMT",
            "Sat, 21 Nov 999999999999 02:21:56 GMT",
        ]
    )
    func noDates(text: String) {
        let now = Timestamp(microseconds: 0)
        #expect(ClockSkew.finding(date: text, sent: now, received: now).level == .warn)
    }

    @Test(
        "a small difference passes, a minute fails",
        arguments: [
            (0, .ok), (1_900, .ok), (-1_900, .ok), (3_500, .warn), (-30_000, .warn),
            (61_000, .fail), (-90_000, .fail),
        ] as [(Int64, DoctorFinding.Level)]
    )
    func skews(milliseconds: Int64, level: DoctorFinding.Level) {
        let answeredAt = Timestamp(microseconds: 784_111_777_500_000)
        let middle = answeredAt.advanced(by: .milliseconds(milliseconds))
        let finding = ClockSkew.finding(
            date: "Sun, 06 Nov 1994 08:49:37 GMT",
            sent: middle.advanced(by: .milliseconds(-200)),
            received: middle.advanced(by: .milliseconds(200))
        )
        #expect(finding.level == level)
        let sign = milliseconds < 0 ? "-" : "+"
        if level != .ok {
            #expect(finding.text == "clock off by \(sign)\(abs(milliseconds)) ms")
            #expect(finding.remedy?.contains("timedatectl") == true)
        }
    }
}
