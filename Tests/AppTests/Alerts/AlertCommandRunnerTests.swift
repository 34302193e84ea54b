import Domain
import FoundationEssentials
import PresentationTerminal
import Synchronization
import TestSupport
import Testing
import ViewStates

@testable import App

@Suite(
    "The alert command runs once for each new alert, and its failures are shown",
    .tags(.threads),
    .timeLimit(.minutes(10))
)
final class AlertCommandRunnerTests {
    private final class Lines: Log {
        let kept = Mutex<[String]>([])

        func write(_ level: LogLevel, _ message: String) { kept.withLock { $0.append(message) } }
    }

    private let folder: String
    private let lines = Lines()

    init() throws {
        folder = "/tmp/hoga-alerts-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func runner(_ words: String...) throws -> AlertCommandRunner {
        let quoted = words.map { word in
            "'"
                + word.split(separator: "'", omittingEmptySubsequences: false).joined(
                    separator: #"'\''"#
                )
                + "'"
        }
        let command = try AlertCommand(parsing: quoted.joined(separator: " "))
        let variables = ["PATH": "/usr/bin:/bin", "HOGA_TOKEN": "secret", "LANG": "C.UTF-8"]
        return AlertCommandRunner(command, environment: variables, log: lines) { .korean }
    }

    private func state(_ alerts: UserAlerts, status: StoreStatus = .ready) -> UserState {
        var record = UserRecord(name: "kim")
        record.alerts = Revised(alerts, revision: 1)
        return UserState(user: .local, record: record, status: status, sequence: 1)
    }

    /// Runs a command while `body` waits for its effects.
    private func during(
        _ runner: AlertCommandRunner,
        _ body: @escaping () async throws -> Void
    ) async throws {
        let service = Task { await runner.run() }
        defer { service.cancel() }
        try await body()
        service.cancel()
        await service.value
    }

    private func eventually(_ isMet: () -> Bool) async throws {
        while !isMet() { try await Task.sleep(for: .milliseconds(2)) }
    }

    private func text(_ name: String) -> String {
        (FileManager.default.contents(atPath: folder + "/" + name))
            .map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test("alerts before the start are not told, an unread record is not the start")
    func start() async throws {
        let runner = try runner("sh", "-c", #"cat >> "$1""#, "sh", folder + "/log")
        runner.apply(state(UserAlerts(), status: .opening))
        runner.apply(state(.logged(1...3)))
        runner.apply(state(.logged(1...5)))
        try await during(runner) { [self] in
            try await eventually { text("log").split(separator: "\n").count == 2 }
        }
        let ids = text("log").split(separator: "\n").map { $0.prefix(9) }.sorted()
        #expect(ids == [#"{"id":"4""#, #"{"id":"5""#])
        #expect(runner.lastFailure == nil && lines.kept.withLock { $0.isEmpty })
    }

    @Test("the command gets the allowed variables only")
    func environment() async throws {
        let runner = try runner(
            "sh",
            "-c",
            #"env > "$1.new"; mv "$1.new" "$1""#,
            "sh",
            folder + "/env"
        )
        runner.apply(state(UserAlerts()))
        runner.apply(state(.logged(1...1)))
        try await during(runner) { [self] in try await eventually { !text("env").isEmpty } }
        // The shell itself adds PWD, SHLVL and _.
        let names = Set(
            text("env").split(separator: "\n").compactMap { $0.split(separator: "=").first }
        )
        #expect(names.subtracting(["PWD", "OLDPWD", "SHLVL", "_"]) == ["PATH", "LANG"])
    }

    @Test("200 alerts at once run four at a time; those beyond a hundred are dropped and reported")
    func crowd() async throws {
        let script = #"""
            mkdir "$1/run.$$" && set -- "$1" "$1"/run.* && echo $(($# - 1)) >> "$1/counts"
            sleep 0.02; rmdir "$1/run.$$"; echo end >> "$1/ends"
            """#
        let runner = try runner("sh", "-c", script, "sh", folder)
        runner.apply(state(UserAlerts()))
        runner.apply(state(.logged(1...200)))
        try await during(runner) { [self] in
            try await eventually { text("ends").split(separator: "\n").count == 100 }
        }
        let counts = text("counts").split(separator: "\n").compactMap { Int($0) }
        #expect(counts.count == 100 && counts.allSatisfy { (1...4).contains($0) }, "\(counts)")
        #expect(lines.kept.withLock { $0.count } == 1)
        #expect(lines.kept.withLock { $0[0] }.contains("100 alerts skipped"))
    }

    @Test("a failure says status and the last error, a success ends it")
    func failures() async throws {
        let script = #"test -e "$1/ok" || { echo first >&2; echo 'no way' >&2; exit 3; }"#
        let runner = try runner("sh", "-c", script, "sh", folder)
        runner.apply(state(UserAlerts()))
        runner.apply(state(.logged(1...1)))
        try await during(runner) { [self] in
            try await eventually { runner.lastFailure != nil }
            #expect(
                runner.lastFailure
                    == AlertCommandFailure(program: "sh", reason: .status(3), message: "no way")
            )
            #expect(FileManager.default.createFile(atPath: folder + "/ok", contents: nil))
            runner.apply(state(.logged(1...2)))
            try await eventually { runner.lastFailure == nil }
        }
        #expect(lines.kept.withLock { $0.first?.contains("exit status 3 – no way") } == true)
    }

    @Test("a missing program is a failure that names it")
    func missing() async throws {
        let runner = try runner("hoga-no-such-program")
        runner.apply(state(UserAlerts()))
        runner.apply(state(.logged(1...1)))
        try await during(runner) { [self] in try await eventually { runner.lastFailure != nil } }
        #expect(runner.lastFailure?.reason == .notFound)
        #expect(runner.lastFailure?.text[.korean].contains("hoga-no-such-program") == true)
    }
}
