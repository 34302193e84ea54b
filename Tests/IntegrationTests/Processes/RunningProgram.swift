import Foundation
import Glibc
import Synchronization
import TestSupport

/// A program that runs beside a test and is heard as it goes.
///
/// A thread of its own reads what the program writes, so that it never waits for the test. What
/// nobody hears goes nowhere: a program that outlives a test run which died must not hold on to the
/// run's output, for which others wait.
final class RunningProgram: Sendable {
    /// What is heard of a program.
    enum Voice: Sendable {
        case output
        case errors
    }

    /// How long a program may take to say something on a busy machine.
    static let patience: Duration = .seconds(120)

    private let process = Process()
    private let name: String
    private let heard = Mutex(Heard())
    /// Signalled once it has ended.
    private let ending = DispatchSemaphore(value: 0)
    /// Signalled whenever more was heard.
    private let news = DispatchSemaphore(value: 0)

    private struct Heard {
        var bytes: [UInt8] = []
        var isOver = false
    }

    /// Starts hoga as a user does.
    ///
    /// - Parameters:
    ///   - arguments: its command line.
    ///   - environment: variables besides those of ``HogaProcess/environment(_:)``.
    ///   - voice: what is heard of it.
    /// - Returns: the running program.
    /// - Throws: what Foundation says when it cannot be started.
    static func hoga(
        _ arguments: [String],
        environment: [String: String] = [:],
        hearing voice: Voice = .errors
    ) throws -> RunningProgram {
        try RunningProgram([HogaProcess.path] + arguments, environment, hearing: voice)
    }

    /// Starts a service of a simulated exchange, on free ports that its log tells.
    static func service(environment: [String: String] = [:]) throws -> RunningProgram {
        try hoga(
            [
                "serve", "--exchange", "simulated", "--listen", "127.0.0.1:0",
                "--admin-listen", "127.0.0.1:0",
            ],
            environment: environment
        )
    }

    /// Starts a program that is found by the search path.
    init(
        _ words: [String],
        _ environment: [String: String] = [:],
        hearing voice: Voice
    ) throws {
        name = ([URL(fileURLWithPath: words[0]).lastPathComponent] + words.dropFirst())
            .joined(separator: " ")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = HogaProcess.environment(environment)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        switch voice {
        case .output: process.standardOutput = pipe
        case .errors: process.standardError = pipe
        }
        process.terminationHandler = { [ending] _ in ending.signal() }
        try process.run()
        Thread { [self] in
            hear(pipe.fileHandleForReading.fileDescriptor)
            // The descriptor is the pipe's.
            withExtendedLifetime(pipe) {}
        }.start()
    }

    /// Reads to the end; a signal that comes in between is none.
    private func hear(_ descriptor: Int32) {
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            heard.withLock { heard in
                heard.bytes += part.prefix(max(count, 0))
                heard.isOver = count <= 0
            }
            news.signal()
            if count <= 0 { return }
        }
    }

    // MARK: What it says

    /// What it has said when that is enough; it is waited for, by one at a time.
    ///
    /// - Throws: ``ChildProcess/Failure`` with all it said, if it ends before or takes too long.
    func text(until isEnough: (String) -> Bool) throws -> String {
        let end = Self.end
        while true {
            let heard = heard.withLock { $0 }
            let text = String(decoding: heard.bytes, as: UTF8.self)
            if isEnough(text) { return text }
            if heard.isOver { throw failure("ended", text) }
            if news.wait(timeout: end) == .timedOut { throw failure("goes on, and on", text) }
        }
    }

    /// What it has said once these words are among it.
    @discardableResult
    func text(with words: String) throws -> String { try text { $0.contains(words) } }

    /// The first whole line with a word.
    func line(with word: String) throws -> Substring {
        func line(in text: String) -> Substring? {
            // The last one may not be whole yet.
            text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .first { $0.contains(word) }
        }
        let text = try text { line(in: $0) != nil }
        return line(in: text) ?? ""
    }

    /// All it says, once it has ended.
    func wholeText() throws -> String {
        let isOver = { self.heard.withLock { $0.isOver } }
        return try text { _ in isOver() }
    }

    private static var end: DispatchTime {
        .now() + .seconds(Int(patience.components.seconds))
    }

    private func failure(_ what: String, _ text: String) -> ChildProcess.Failure {
        ChildProcess.Failure(text: "“\(name)” \(what); it said: \(text)")
    }

    // MARK: Its life

    var isRunning: Bool { process.isRunning }

    var id: pid_t { process.processIdentifier }

    /// Sends it a signal, if it still runs.
    func signal(_ number: Int32) {
        if process.isRunning { kill(id, number) }
    }

    /// Waits until it has ended, and kills it when that takes too long.
    ///
    /// - Returns: the exit status; that of a shell, 128 and the signal's number, where a signal
    ///   killed it.
    @discardableResult
    func status() -> Int32 {
        if ending.wait(timeout: Self.end) == .timedOut { signal(SIGKILL) }
        process.waitUntilExit()
        // For whoever asks again.
        ending.signal()
        let status = process.terminationStatus
        return process.terminationReason == .exit ? status : 128 + status
    }

    /// Asks it to end, or lets it no choice, and waits until it has.
    @discardableResult
    func end(by number: Int32 = SIGTERM) -> Int32 {
        // One that is held still would not hear of it.
        signal(SIGCONT)
        signal(number)
        return status()
    }
}
