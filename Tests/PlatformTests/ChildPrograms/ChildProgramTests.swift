import ChildPrograms
import Concurrency
import Glibc
import Testing

@Suite(
    "A child program runs without a shell, bounded in time, output and environment",
    .tags(.threads),
    .timeLimit(.minutes(10))
)
struct ChildProgramTests {
    private func program(_ arguments: String..., limit: Duration? = nil) -> ChildProgram {
        var program = ChildProgram(arguments, environment: ["PATH": "/usr/bin:/bin"])
        program.outputBytesMax = 65_536
        program.errorBytesMax = 4_096
        program.timeLimit = limit
        program.grace = .milliseconds(50)
        program.leadsSession = true
        return program
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The numbers that a program printed.
    private func numbers(_ result: ChildProgram.Result) -> [pid_t] {
        text(result.output).split { !$0.isNumber }.compactMap { pid_t($0) }
    }

    /// Whether a process exists, as a zombie too.
    private func exists(_ id: pid_t) -> Bool { kill(id, 0) == 0 }

    @Test("arguments reach the program as they are: no shell expands or divides them")
    func noShell() async {
        let result = await program("printf", "%s|", "$HOME", ";", "a b", "*", "`id`").run()
        #expect(result.end == .exited(0))
        #expect(text(result.output) == "$HOME|;|a b|*|`id`|")
    }

    @Test("the environment is exactly the given one")
    func environment() async {
        var env = program("/usr/bin/env")
        env.environment = ["PATH": "/bin", "LANG": "ko_KR.UTF-8", "EMPTY": ""]
        let result = await env.run()
        let lines = Set(text(result.output).split(separator: "\n"))
        #expect(lines == ["PATH=/bin", "LANG=ko_KR.UTF-8", "EMPTY="])
    }

    @Test("standard input holds the input and then ends, also for a program that never reads it")
    func input() async {
        let input = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        var cat = program("cat")
        cat.input = input
        cat.outputBytesMax = 1 << 20
        #expect(await cat.run() == ChildProgram.Result(.exited(0), output: input))
        var blind = program("true")
        blind.input = input
        #expect(await blind.run().end == .exited(0))
    }

    @Test("only the three standard descriptors are inherited")
    func descriptors() async throws {
        let kept = unsafe open("/dev/null", O_RDONLY)
        defer { close(kept) }
        try #require(kept > 2)
        // The fourth is the folder that ls reads.
        let result = await program("ls", "/proc/self/fd").run()
        #expect(numbers(result) == [0, 1, 2, 3])
    }

    @Test("ignored and blocked signals of this process are not inherited")
    func signals() async {
        // As hoga does at its start.
        signal(SIGPIPE, SIG_IGN)
        let result = await program("grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status").run()
        let masks = text(result.output).split(separator: "\n").compactMap {
            $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
        }
        // The C library keeps 32 and 33 for itself.
        #expect(masks.map { $0 & 0x7FFF_FFFF } == [0, 0])
    }

    @Test("status, signal, absence and refusal are told apart")
    func ends() async {
        #expect(await program("sh", "-c", "exit 7").run().end == .exited(7))
        #expect(await program("sh", "-c", "kill -KILL $$").run().end == .signaled(SIGKILL))
        #expect(await program("hoga-no-such-program").run().end == .notFound)
        #expect(await program("/etc/passwd").run().end == .notStarted(EACCES))
    }

    @Test("the newest errors are kept, and endless output ends with the time limit")
    func outputBounds() async {
        var lines = program("sh", "-c", "seq 1 100000 >&2; exit 1")
        lines.errorBytesMax = 14
        #expect(text(await lines.run().errors) == "\n99999\n100000\n")
        let endless = await program("yes", limit: .milliseconds(200)).run()
        #expect(endless.end == .timedOut && endless.output.count == 65_536)
    }

    @Test("a program that ignores SIGTERM is killed, with what it started, and leaves no zombie")
    func stubborn() async throws {
        let script = "trap '' TERM; sleep 1000 & echo $$ $!; while :; do sleep 1000; done"
        let result = await program("sh", "-c", script, limit: .milliseconds(300)).run()
        #expect(result.end == .timedOut)
        let ids = numbers(result)
        try #require(ids.count == 2)
        #expect(!exists(ids[0]))
        try await expectEnd(of: ids[1])
    }

    @Test("what a program leaves in its process group ends with it and does not delay the result")
    func leftovers() async throws {
        let result = await program("sh", "-c", "sleep 1000 & echo $!").run()
        #expect(result.end == .exited(0))
        try await expectEnd(of: try #require(numbers(result).first))
    }

    @Test("cancelling the task ends the program; a cancelled task starts none")
    func cancellation() async throws {
        let ready = "/tmp/hoga-child-\(getpid())"
        defer { _ = unsafe unlink(ready) }
        let sleeper = program("sh", "-c", "echo $$; : > \(ready); exec sleep 1000")
        let run = Task { await sleeper.run() }
        while unsafe access(ready, F_OK) != 0 { await Task.yield() }
        run.cancel()
        let result = await run.value
        #expect(result.end == .cancelled)
        #expect(!exists(try #require(numbers(result).first)))
        let late = Task { () -> ChildProgram.Result in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await sleeper.run()
        }
        #expect(await late.value == ChildProgram.Result(.cancelled))
    }

    /// Another process reaps what a program started: waits until it has.
    private func expectEnd(of id: pid_t) async throws {
        while isRunning(id) { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Whether a process runs; a zombie that nobody reaps does not.
    private func isRunning(_ id: pid_t) -> Bool {
        let file = unsafe open("/proc/\(id)/stat", O_RDONLY)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe read(file, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        return text.split(separator: ")").last?.dropFirst().first != "Z"
    }
}
