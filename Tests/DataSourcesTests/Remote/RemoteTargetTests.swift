import DataSourceContracts
import Testing

@testable import DataSourcesRemote

@Suite("Requests to a hoga server")
struct RemoteTargetTests {
    @Test("parameters are percent-encoded")
    func escaping() {
        let target = RemoteTarget(
            path: "/v1/markets",
            parameters: [RemoteParameter("q", "비 b&c=d/?#%"), RemoteParameter("markets", "A,B")]
        )
        #expect(
            target.text
                == "/v1/markets?q=%EB%B9%84%20b%26c%3Dd%2F%3F%23%25&markets=A,B"
        )
        #expect(RemoteTarget(path: "/v1/me").text == "/v1/me")
    }

    @Test(
        "HTTP dates are parsed",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Sat, 21 Nov 2026 02:21:56 GMT", 1_795_227_716),
        ] as [(String, Int64)]
    )
    func dates(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(
        "other text is not an HTTP date",
        arguments: [
            "", "now", "Sat, 21 Nov 2026 02:21:56", "Sat, 21 Nov 2026 02:21:56 KST",
            "Sat, 32 Nov 2026 02:21:56 GMT", "Sat, 21 Foo 2026 02:21:56 GMT",
            "Sat, 21 Nov 2026 24:21:56 GMT", "Sat, 21 Nov 2026 02:21 GMT",
            "Sat, 21 Nov 999999999999 02:21:56 GMT",
        ]
    )
    func invalidDates(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }

    @Test("the server's clock corrects a wrong local clock and ignores small differences")
    func clock() {
        let date = ["date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        let seconds: Int64 = 784_111_777
        for (local, expected) in [
            (seconds + 2, seconds + 2), (seconds - 90, seconds), (seconds, seconds),
        ] {
            let clock = ServerClock(now: { local * 1_000_000 })
            clock.receive(date)
            #expect(clock.now == expected * 1_000_000)
            clock.receive(["date": "odd"])
            #expect(clock.now == expected * 1_000_000)
        }
    }
}
