import Domain
import TestSupport
import Testing
import ViewStates

@testable import App

@Suite("The alert command is words without a shell")
struct AlertCommandTests {
    @Test(
        "blanks, quotes and backslashes divide words as in a shell, and nothing is expanded",
        arguments: [
            ("notify-send hoga", ["notify-send", "hoga"]),
            ("  a   b  ", ["a", "b"]), ("a\tb\n'c\nd'\r\ne", ["a", "b", "c\nd", "e"]),
            (#"a 'b c' "d e""#, ["a", "b c", "d e"]),
            (#"a'b'"c"d"#, ["abcd"]),
            (#"a '' """#, ["a", "", ""]),
            (#"a b\ c \' \" \\"#, ["a", "b c", "'", "\"", #"\"#]),
            (#"a '\n"' "\"\\\n'""#, ["a", #"\n""#, #""\\n'"#]),
            ("a $HOME `id` ; > * ~ #b", ["a", "$HOME", "`id`", ";", ">", "*", "~", "#b"]),
            ("알림 '새 소식'", ["알림", "새 소식"]),
        ] as [(String, [String])]
    )
    func words(text: String, words: [String]) throws {
        #expect(try AlertCommand(parsing: text).words == words)
    }

    @Test(
        "a text that is no command is refused with the fault",
        arguments: [
            ("a 'b", .unclosedQuote), (#"a "b"#, .unclosedQuote), (#"a "b\"#, .unclosedQuote),
            (#"a \"#, .nothingAfterBackslash), ("", .noProgram), ("   ", .noProgram),
            ("'' a", .noProgram), ("a 'b\u{0}c'", .zeroByte),
        ] as [(String, AlertCommand.ParseError)]
    )
    func refusals(text: String, error: AlertCommand.ParseError) {
        #expect(throws: error) { try AlertCommand(parsing: text) }
    }

    @Test("the command gets a few variables: no settings and no secrets of hoga")
    func environment() {
        let variables = [
            "PATH": "/bin", "HOME": "/home/kim", "USER": "kim", "LANG": "ko_KR.UTF-8",
            "LC_TIME": "C", "LC_ALL": "C", "TZ": "Asia/Seoul", "TERM": "xterm", "DISPLAY": ":0",
            "WAYLAND_DISPLAY": "wayland-0", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus",
            "XDG_RUNTIME_DIR": "/run/user/1000",
        ]
        let withheld = [
            "HOGA_TOKEN": "t", "HOGA_DATABASE_URL": "u", "HOGA_LANG": "en", "PGPASSWORD": "p",
            "AWS_SECRET_ACCESS_KEY": "k", "LD_PRELOAD": "x", "path": "y", "LC": "z",
            "https_proxy": "http://user:password@proxy:8080",
        ]
        let all = variables.merging(withheld) { first, _ in first }
        #expect(AlertCommand.environment(from: all) == variables)
    }

    @Test("an alert is one line of JSON with the fields of the log")
    func json() {
        func text(_ alert: LoggedAlert) -> String {
            String(decoding: AlertJSON.bytes(of: alert, .korean), as: UTF8.self)
        }
        let late = LoggedAlert.sample(7, "BTC > 150000000 note a \"b\"", lateness: .away)
        #expect(
            text(late) == """
                {"id":"7","alert":"7","rule":"BTC_KRW > 150000000 note a \\"b\\"",\
                "market":"BTC_KRW","feed":"live","at":"2026-11-20T12:00:07.000000+09:00",\
                "price":"150120000","late":true,"reason":"away","text":"\(sentence(late))"}

                """
        )
        let state = LoggedAlert.sample(8, "BTC deposit opens", value: "1")
        #expect(
            text(state) == """
                {"id":"8","alert":"8","rule":"BTC_KRW deposit opens","market":"BTC_KRW",\
                "feed":"live","at":"2026-11-20T12:00:08.000000+09:00","price":null,\
                "late":false,"reason":null,"text":"\(sentence(state))"}

                """
        )
        #expect(text(.sample(9, "portfolio > 1")).contains(#""market":null"#))
    }

    private func sentence(_ alert: LoggedAlert) -> String {
        AlertTextPresenter.sentence(alert, .korean)
            .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    }
}

@Suite("The queue of alert commands is bounded, and gives each new alert once")
struct AlertCommandQueueTests {
    @Test("new alerts start oldest first, at most four at once, and none twice")
    func order() {
        var queue = AlertCommandQueue()
        queue.apply(.logged(1...2))
        #expect(queue.start() == nil)
        queue.apply(.logged(1...8))
        queue.apply(.logged(1...8))
        #expect((0..<5).map { _ in queue.start()?.number } == [3, 4, 5, 6, nil])
        queue.end()
        #expect(queue.start()?.number == 7 && queue.start() == nil)
        for _ in 0..<4 { queue.end() }
        #expect(queue.start()?.number == 8 && queue.start() == nil)
        #expect(queue.takeDropped() == 0)
    }

    @Test("of more than a hundred waiting alerts the oldest are dropped and counted once")
    func bound() {
        var queue = AlertCommandQueue()
        queue.apply(UserAlerts())
        queue.apply(.logged(1...90))
        queue.apply(.logged(1...120))
        #expect(queue.waiting.count == 100 && queue.takeDropped() == 20)
        #expect(queue.takeDropped() == 0)
        #expect(queue.start()?.number == 21)
        // The record itself holds no more than a hundred of those that fired.
        queue.apply(.logged(1...500))
        #expect(queue.waiting.map(\.number) == Array(401...500))
        #expect(queue.takeDropped() == 99 + 280)
    }
}
