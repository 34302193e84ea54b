import Domain
import HTTPServer
import NetworkAddresses
import PresentationHTTP
import Synchronization
import TestSupport
import Testing

@testable import App

@Suite("The access log has client, route and outcome of a request, and no secrets", .tags(.threads))
struct RequestLogTests {
    private let log = KeptLines()
    private let clock = ShownTime()

    private func request(
        status: Int = 200,
        milliseconds: Int64 = 2,
        path: String = "/v1/markets",
        isStream: Bool = false
    ) -> RequestRecord {
        RequestRecord(
            requestID: "abc123",
            method: "GET",
            route: "/v1/markets",
            path: path,
            status: status,
            byteCount: 77,
            duration: .milliseconds(milliseconds),
            client: NetworkAddress(10, 0, 0, 7),
            user: UserID(12),
            isComplete: true,
            isStream: isStream
        )
    }

    private func access(_ choice: AccessLogMode) -> RequestLog {
        RequestLog(choice, to: log) { [clock] in clock.now }
    }

    @Test(
        "the mode selects failed and slow requests, all, or none",
        arguments: [
            (AccessLogMode.errors, [false, true, true, true, false]),
            (.all, [true, true, true, true, true]), (.off, [false, false, false, false, false]),
        ]
    )
    func choices(choice: AccessLogMode, expected: [Bool]) {
        let requests = [
            request(), request(status: 404), request(status: 503), request(milliseconds: 1_000),
            request(milliseconds: 900_000, isStream: true),
        ]
        let access = access(choice)
        for (request, isLogged) in zip(requests, expected) {
            let before = log.lines.count
            access.observe(request)
            #expect(log.lines.count - before == (isLogged ? 1 : 0))
        }
    }

    @Test("a line names route, path, status, client, user number and id")
    func line() {
        access(.all).observe(request())
        #expect(
            log.lines == [
                "info request method=GET route=/v1/markets path=\"/v1/markets\" status=200 "
                    + "bytes=77 milliseconds=2.0 client=10.0.0.7 id=abc123 user=12"
            ]
        )
    }

    @Test("a long path is truncated, and control characters are escaped")
    func paths() {
        let access = access(.all)
        access.observe(request(path: "/" + String(repeating: "x", count: 10_000)))
        access.observe(request(path: "/a\n2026 info forged=1\u{1B}[2J\"b"))
        #expect(log.lines.allSatisfy { $0.utf8.count < 500 && !$0.contains("\n") })
        #expect(log.lines[0].contains("xxx…\""))
        #expect(log.lines[1].contains(#"path="/a\u000a2026 info forged=1\u001b[2J\"b""#))
    }

    @Test("combining marks count for the length of a path, and a token in a path is masked")
    func masks() {
        let access = access(.all)
        let token = "hoga_" + String(repeating: "A", count: 43)
        access.observe(request(path: "/x" + String(repeating: "\u{301}", count: 1_200)))
        access.observe(request(path: "/v1/" + token))
        access.observe(request(path: "/" + String(repeating: "x", count: 190) + token))
        #expect(log.lines.allSatisfy { $0.utf8.count < 600 && !$0.contains("AAA") })
        let marks = log.lines[0].unicodeScalars.filter { $0 == "\u{301}" }
        #expect(marks.count == RequestLog.pathLengthMax - 2)
        #expect(log.lines[1].contains(#"path="/v1/hoga_…""#))
    }

    @Test("failures over the bound of a second are counted, not logged")
    func flood() {
        let access = access(.errors)
        for _ in 0..<RequestLog.linesMax + 30 { access.observe(request(status: 400)) }
        #expect(log.lines.count == RequestLog.linesMax)
        #expect(access.drainSuppressedCount() == 30)
        #expect(access.drainSuppressedCount() == 0)
        clock.now = Timestamp(microseconds: 1_000_000)
        access.observe(request(status: 400))
        #expect(log.lines.count == RequestLog.linesMax + 1)
    }

    @Test("a summary has the requests of each used route since the last one")
    func summary() async {
        let tallies = RequestMetrics(routes: ["/v1/markets", "/v1/assets"])
        let summary = RequestSummary(tallies: tallies, access: access(.errors), log: log)
        let clock = ManualClock()
        await withTaskGroup { group in
            group.addTask { await summary.run(clock: clock) }
            await clock.untilSleeping()
            for milliseconds in 1...100 as ClosedRange<Int64> {
                tallies.observe(request(milliseconds: milliseconds))
            }
            tallies.observe(request(status: 500))
            clock.advance(by: RequestSummary.interval)
            await clock.untilSleeping()
            clock.advance(by: RequestSummary.interval)
            await clock.untilSleeping()
            group.cancelAll()
        }
        #expect(
            log.lines == [
                "info requests route=/v1/markets count=101 errors=1 p50Milliseconds=50.0 "
                    + "p99Milliseconds=100.0 bytes=7777"
            ]
        )
    }
}

/// A clock that a test sets.
private final class ShownTime: Sendable {
    private let shown = Mutex(Timestamp(microseconds: 0))

    var now: Timestamp {
        get { shown.withLock { $0 } }
        set { shown.withLock { $0 = newValue } }
    }
}

/// A log that keeps its lines as text.
private final class KeptLines: Log {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func write(_ level: LogLevel, _ message: String) {
        kept.withLock { $0.append("\(level.rawValue) \(message)") }
    }
}
