import Domain
import Glibc
import ViewStates
import Testing

@testable import PresentationTerminal

/// Each test starts a process of its own, because terminal and signals belong to the process.
@Suite("The device draws on and reads from a real terminal", .serialized)
struct TerminalDeviceTests {
    @Test(
        "Hangul is drawn and typed in every locale",
        arguments: [
            ["LC_ALL": "C"], ["LANG": "C", "LC_ALL": ""],
            // Nowhere installed; the second names a variable of less weight that is.
            ["LC_ALL": "xx_XX.UTF-8"], ["LC_ALL": "", "LC_CTYPE": "xx_XX", "LANG": "C.UTF-8"],
        ]
    )
    func hangul(environment: [String: String]) async throws {
        let terminal = try PseudoTerminal()
        let use = terminal.use { terminal in
            try terminal.read(until: "거래소", thenType: "/코")
            try terminal.read(until: "코", thenType: "인")
            try terminal.read(until: "인", thenType: "\u{1B}")
            return try terminal.read(until: "지우기", thenType: "q")
        }
        await #expect(processExitsWith: .success) {
            [
                path = terminal.path as String, names = environment.keys.sorted() as [String],
                values = environment.sorted { $0.key < $1.key }.map(\.value) as [String],
            ] in
            for (name, value) in zip(names, values) { unsafe setenv(name, value, 1) }
            adoptTerminal(path)
            let outcome = try await TerminalSession.onHookedModel().run()
            precondition(outcome.ending == .quit)
        }
        _ = try use.text()
    }

    @Test("Bracketed pastes are text, arrows are keys, Esc is a key")
    func keys() async throws {
        let terminal = try PseudoTerminal()
        let use = terminal.use { terminal in
            try terminal.read(until: "코인7", thenType: "\u{1B}OB\u{1B}OB")
            try terminal.read(until: "›", thenType: "\u{1B}[200~qqq\u{1B}[201~/")
            try terminal.read(until: "Esc", thenType: "\u{1B}[200~C1\rq\u{1B}[201~")
            try terminal.read(until: "C1q", thenType: "\u{7F}\r")
            return try terminal.read(until: "호가", thenType: "q")
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            let outcome = try await TerminalSession.onHookedModel().run()
            precondition(outcome.ending == .quit)
        }
        _ = try use.text()
    }

    @Test("Ctrl with arrows gives separate keys")
    func controlArrows() async throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let use = terminal.use { terminal in
            try terminal.read(until: "코인7", thenType: "\r\t")
            try terminal.read(until: "거래량", thenType: "\u{1B}[1;5A")
            // The volume has grown by a row, which moves the prices beside the axis, and shrinks.
            try terminal.read(until: "140,000,000", thenType: "\u{1B}[1;5B")
            return try terminal.read(until: "140,000,000", thenType: "q")
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            let outcome = try await TerminalSession.onHookedModel().run()
            precondition(outcome.ending == .quit)
        }
        _ = try use.text()
    }

    @Test(
        "Home and End are recognized in every encoding",
        arguments: [("[H", "[F"), ("OH", "OF"), ("[1~", "[4~"), ("[7~", "[8~")]
    )
    func homeAndEnd(home: String, end: String) async throws {
        let terminal = try PseudoTerminal(columns: 60, rows: 12)
        let use = terminal.use { terminal in
            try terminal.read(until: "코인3", thenType: "\u{1B}" + end)
            try terminal.read(until: "› 코인", thenType: "\u{1B}" + home)
            return try terminal.read(until: "› ", thenType: "q")
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            let outcome = try await TerminalSession.onHookedModel().run()
            precondition(outcome.ending == .quit)
        }
        _ = try use.text()
    }

    @Test("A resize redraws at the new size")
    func resize() async throws {
        let terminal = try PseudoTerminal(columns: 60, rows: 12)
        let use = terminal.use { terminal in
            try terminal.read(until: "코인3")
            terminal.resize(columns: 100, rows: 20)
            return try terminal.read(until: "코인15", thenType: "q")
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            _ = try await TerminalSession.onHookedModel().run()
        }
        _ = try use.text()
    }

    @Test("Ctrl-Z restores the terminal; without a job to stop it is taken back immediately")
    func suspend() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        let use = terminal.use { terminal in
            let first = try terminal.read(until: "코인7", thenType: "\u{1A}")
            let second = try terminal.read(until: "코인7", thenType: "q")
            return first + second
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            _ = try await TerminalSession.onHookedModel().run()
        }
        let written = try use.text() + terminal.readAll()
        #expect(written.ranges(of: "\u{1B}[?1049h").count == 2)
        #expect(written.ranges(of: "\u{1B}[?1049l").count == 2)
        #expect(terminal.modes == before)
    }

    @Test("Colors follow the terminal and NO_COLOR", arguments: [true, false])
    func colors(isColored: Bool) async throws {
        let terminal = try PseudoTerminal()
        let use = terminal.use { try $0.read(until: "종료", thenType: "q") }
        await #expect(processExitsWith: .success) {
            [path = terminal.path as String, isColored = isColored as Bool] in
            adoptTerminal(path)
            let environment = isColored ? [:] : ["NO_COLOR": "1"]
            _ = try await TerminalSession.onHookedModel(environment: environment).run()
        }
        // 208 is the color of the title.
        let written = try use.text()
        #expect(written.contains("38;5;208m") == isColored)
        // Without colors nothing may set one: black on black would pass for none, unseen.
        let blackOnBlack = ["\u{1B}[30m", "\u{1B}[40m"]
        #expect(!blackOnBlack.contains { written.contains($0) })
    }

    @Test(
        "24-bit colors are used where COLORTERM states them, and wanted fewer are kept",
        arguments: [
            ("xterm-256color", "truecolor", "", true), ("tmux-256color", "24bit", "", true),
            ("xterm", "truecolor", "", true), ("xterm-256color", "", "", false),
            ("xterm-256color", "truecolor", "256", false), ("vt100", "truecolor", "", false),
        ]
    )
    func trueColor(type: String, stated: String, wanted: String, isTrue: Bool) async throws {
        let terminal = try PseudoTerminal()
        let use = terminal.use { terminal in
            // A key of the extended description, then one after the colors are set.
            let first = try terminal.read(until: "코인7", thenType: "\u{1B}[1;5C\r")
            return try first + terminal.read(until: "호가", thenType: "q")
        }
        await #expect(processExitsWith: .success) {
            [
                path = terminal.path as String, type = type as String, stated = stated as String,
                wanted = wanted as String,
            ] in
            adoptTerminal(path, type: type)
            var choices = TerminalOptions(characters: .unicode)
            if wanted == "256" { choices.colors = .indexed256 }
            let variables = unsafe getenv("TERMINFO")
            let outcome = try await TerminalSession.onHookedModel(
                environment: stated.isEmpty ? [:] : ["COLORTERM": stated],
                choices: choices
            ).run()
            precondition(outcome.ending == .quit)
            precondition(unsafe getenv("TERMINFO") == variables)
        }
        // The title, and a falling price.
        let written = try use.text()
        #expect(written.contains("38;2;244;115;33m") == isTrue)
        #expect(written.contains("38;2;85;126;230m") == isTrue)
        #expect(written.contains("38;5;") == (!isTrue && type == "xterm-256color"))
        // The alternate screen of the description is still there.
        #expect(written.contains("\u{1B}[?1049h") == (type != "vt100"))
    }

    @Test("The theme follows the terminal's background", arguments: ["ffff", "0000"])
    func background(part: String) async throws {
        let terminal = try PseudoTerminal(answers: false)
        let use = terminal.use { terminal in
            // Input typed before the reply is not lost.
            let answer = "j\u{1B}]11;rgb:\(part)/\(part)/\(part)\u{1B}\\\u{1B}[?62;22c4"
            try terminal.read(until: "\u{1B}[c", thenType: answer)
            return try terminal.read(until: "더보기", thenType: "q")
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            // The first frame waits for the reply, however slow the terminal is.
            _ = try await TerminalSession.onHookedModel(patience: .init(first: .seconds(3_600)))
                .run()
        }
        // The titles' colors for a light and a dark ground.
        let written = try use.text()
        #expect(written.contains("38;5;130m") == (part == "ffff"))
        #expect(written.contains("38;5;208m") == (part == "0000"))
        #expect(!written.contains("rgb:"))
    }

    @Test("A late background reply changes the theme and types no key")
    func lateBackground() async throws {
        let terminal = try PseudoTerminal(answers: false)
        let use = terminal.use { terminal in
            // 1 and 4 would open screens.
            let answer = "\u{1B}]11;rgb:ffff/ffff/f414\u{1B}\\\u{1B}[?1;4c"
            try terminal.read(until: "종료", thenType: answer)
            return try terminal.read(until: "38;5;130m", thenType: "q")
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            let outcome = try await TerminalSession.onHookedModel().run()
            precondition(outcome.ending == .quit)
        }
        let written = try use.text()
        #expect(!written.contains("더보기") && !written.contains("rgb:"))
    }

    @Test("A reply after the end does not reach the shell", arguments: [true, false])
    func answerAfterEnd(isStopped: Bool) async throws {
        let terminal = try PseudoTerminal(answers: false)
        let use = terminal.use { terminal in
            // The first frame is drawn when the wait is over.
            let first = try terminal.read(until: "거래소")
            let answer = "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?1;4c"
            terminal.type(answer)
            return first
        }
        await #expect(processExitsWith: .success) {
            [path = terminal.path as String, isStopped = isStopped as Bool] in
            adoptTerminal(path)
            let device = try TerminalDevice(
                environment: [:],
                choices: TerminalOptions(characters: .unicode),
                interrupt: TerminalInterrupt(),
                patience: .init(late: .seconds(3_600))
            )
            device.draw(Samples.frame(columns: 60, rows: 12))
            if isStopped { device.suspend(isGroup: false) } else { device.close() }
        }
        _ = try use.text()
        #expect(terminal.waitingBytes == 0)
    }

    @Test("ASCII is sent if selected or if the locale has another character set")
    func ascii() async throws {
        for locale in [nil, "ko_KR.EUC-KR"] as [String?] {
            let terminal = try PseudoTerminal()
            // The last letter is written apart, for the sake of the last column.
            let use = terminal.use { try $0.read(until: " qui", thenType: "q") }
            await #expect(processExitsWith: .success) {
                [path = terminal.path as String, locale = locale as String?] in
                adoptTerminal(path)
                let outcome = try await TerminalSession.onHookedModel(
                    environment: locale.map { ["LC_ALL": $0] } ?? [:],
                    choices: TerminalOptions(characters: locale == nil ? .ascii : nil)
                ).run()
                precondition(outcome.ending == .quit)
            }
            let written = try use.text()
            #expect(written.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test("High contrast draws its own background")
    func highContrast() async throws {
        let terminal = try PseudoTerminal()
        let use = terminal.use { try $0.read(until: "종료", thenType: "q") }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            _ = try await TerminalSession.onHookedModel(
                look: ScreenAppearance(theme: .highContrast)
            ).run()
        }
        let written = try use.text()
        #expect(written.contains("48;5;16m") && written.contains("38;5;231m"))
    }

    @Test("A second frame sends only the differences")
    func differences() async throws {
        let terminal = try PseudoTerminal(columns: 120, rows: 40)
        let use = terminal.use { terminal in
            let whole = try terminal.read(until: "종료", thenType: "j")
            let second = try terminal.read(until: "›", thenType: "q")
            // Two rows changed their marks; all forty would be as much again.
            return second.utf8.count < whole.utf8.count / 3 ? "less" : "as much"
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            _ = try await TerminalSession.onHookedModel().run()
        }
        #expect(try use.text() == "less")
    }

    @Test(
        "A missing or unusable terminal is refused by name and unchanged",
        arguments: [
            ("dumb", TerminalError.unusableTerminal), ("", .unknownTerminal),
        ]
    )
    func unusable(type: String, error: TerminalError) async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        await #expect(processExitsWith: .success) {
            [
                path = terminal.path as String, type = type as String,
                text = error.description as String
            ] in
            adoptTerminal(path, type: type)
            do {
                _ = try await TerminalSession.onHookedModel().run()
                preconditionFailure("it ran on \(type)")
            } catch let error as TerminalError {
                precondition(error.description == text, error.description)
            }
        }
        #expect(terminal.modes == before)
        #expect(!terminal.readAll().contains("\u{1B}[?1049h"))
    }

    @Test(
        "A terminal without a terminfo entry is driven as xterm-256color, a known one as itself",
        arguments: [
            ("nonsense-9000", "xterm-256color"), ("xterm-256color", nil),
        ] as [(String, String?)]
    )
    func standIn(type: String, standIn: String?) async throws {
        let terminal = try PseudoTerminal()
        await #expect(processExitsWith: .success) {
            [path = terminal.path as String, type = type as String, standIn = standIn as String?] in
            adoptTerminal(path, type: type)
            let device = try TerminalDevice(
                environment: ["NO_COLOR": "1"],
                choices: TerminalOptions(),
                interrupt: try TerminalInterrupt()
            )
            precondition(device.standIn == standIn)
            device.close()
        }
        #expect(terminal.readAll().contains("\u{1B}[?1049h"))
    }

    @Test("Streams that are not terminals are named", arguments: [STDIN_FILENO, STDOUT_FILENO])
    func notATerminal(stream: Int32) async throws {
        let terminal = try PseudoTerminal()
        await #expect(processExitsWith: .success) {
            [path = terminal.path as String, stream = stream as Int32] in
            adoptTerminal(path)
            dup2(unsafe open("/dev/null", O_RDWR), stream)
            let expected: TerminalError = .notATerminal(stream == 0 ? .input : .output)
            do {
                _ = try await TerminalSession.onHookedModel().run()
                preconditionFailure("it ran without a terminal")
            } catch let error as TerminalError {
                precondition(error == expected)
            }
        }
        #expect(!terminal.readAll().contains("\u{1B}["))
    }

    @Test("The terminal opens once at a time and can be reopened")
    func takenOnce() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        let use = terminal.use { try $0.read(until: "코인7") }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            let interrupt = try TerminalInterrupt()
            let choices = TerminalOptions(characters: .unicode)
            for _ in 0..<2 {
                let device = try TerminalDevice(
                    environment: [:],
                    choices: choices,
                    interrupt: interrupt
                )
                #expect(throws: TerminalError.alreadyInUse) {
                    try TerminalDevice(environment: [:], choices: choices, interrupt: interrupt)
                }
                device.draw(Samples.frame(columns: 60, rows: 12))
                device.close()
                device.close()
            }
            let outcome = try await TerminalSession.onHookedModel { call in
                if call == 1 { kill(getpid(), SIGTERM) }
            }.run()
            precondition(outcome.ending == .signal(SIGTERM))
        }
        _ = try use.text()
        #expect(terminal.modes == before)
    }
}

@Suite("Reset sequences are written unchanged")
struct ResetTextTests {
    @Test(
        "Padding is removed, and a sequence that does not fit is omitted whole",
        arguments: [
            (["\u{1B}[?1049l", "\u{1B}[m"], "\u{1B}[?1049l\u{1B}[m"),
            (["a$<5>b$<100/>", "$"], "ab$"),
            (["$<5", "$>"], "$<5$>"), ([], ""),
            (
                [String(repeating: "x", count: 250), "123456", "12345"],
                String(repeating: "x", count: 250) + "12345"
            ),
        ]
    )
    func joined(capabilities: [String], expected: String) {
        #expect(ResetSequence.joined(capabilities) == Array(expected.utf8))
    }
}
