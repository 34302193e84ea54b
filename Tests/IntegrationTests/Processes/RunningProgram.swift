import Foundation
import Glibc
import Synchronization
import TestSupport

/// A program that runs beside a test, which reads its output or its errors.
///
/// A thread reads the output, so the program never waits for the test. The other output goes to
/// /dev/null: a program that outlives a crashed test run must not keep the run's output open.
final class RunningProgram: Sendable {
    /// The output of the program that is read.
    enum OutputChannel: Sendable {
        case output
        case errors
    }

    /// The lifetime of a program, after which it is killed and a test that waits for it fails.
    ///
    /// Less than the time limit of a test, after which the failure's text is dropped.
    static let secondsMax = 200

    private let process = Process()
    private let name: String
    private let captured = Mutex(CapturedOutput())
    /// Signaled once the program has ended.
    private let ending = DispatchSemaphore(value: 0)
    /// Signaled whenever output was read.
    private let outputArrived = DispatchSemaphore(value: 0)

    private struct CapturedOutput {
        var bytes: [UInt8] = []
        var isOver = false
    }

    /// Starts hoga.
    ///
    /// - Parameters:
    ///   - arguments: its command line.
    ///   - environment: variables besides those of ``HogaProcess/environment(_:)``.
    ///   - channel: the output to read.
    /// - Returns: the running program.
    /// - Throws: the error of Foundation if the program cannot be started.
    static func hoga(
        _ arguments: [String],
        environment: [String: String] = [:],
        reading channel: OutputChannel = .errors
    ) throws -> RunningProgram {
        try RunningProgram([HogaProcess.path] + arguments, environment, reading: channel)
    }

    /// Starts a service of a simulated exchange on free ports, which its log names.
    static func service(environment: [String: String] = [:]) throws -> RunningProgram {
        try hoga(
            [
                "serve", "--exchange", "simulated", "--listen", "127.0.0.1:0",
                "--admin-listen", "127.0.0.1:0",
            ],
            environment: environment
        )
    }

    /// Starts a program from the search path.
    init(
        _ words: [String],
        _ environment: [String: String] = [:],
        reading channel: OutputChannel
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
        switch channel {
        case .output: process.standardOutput = pipe
        case .errors: process.standardError = pipe
        }
        process.terminationHandler = { [ending] _ in ending.signal() }
        try process.run()
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.secondsMax)) {
            [weak self] in self?.signal(SIGKILL)
        }
        Thread { [self] in
            capture(pipe.fileHandleForReading.fileDescriptor)
            // The pipe owns the descriptor.
            withExtendedLifetime(pipe) {}
        }.start()
    }

    /// Reads to the end, in spite of signals.
    private func capture(_ descriptor: Int32) {
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            captured.withLock { captured in
                captured.bytes += part.prefix(max(count, 0))
                captured.isOver = count <= 0
            }
            outputArrived.signal()
            if count <= 0 { return }
        }
    }

    // MARK: Output

    /// Waits until the output meets a condition; one caller at a time.
    ///
    /// - Throws: ``ChildProcess/Failure`` with the output if the program ends first.
    func text(until isEnough: (String) -> Bool) throws -> String {
        try text { text, _ in isEnough(text) }
    }

    /// Waits until the output meets a condition, which also learns whether the output is whole.
    private func text(until isEnough: (String, _ isWhole: Bool) -> Bool) throws -> String {
        while true {
            let captured = captured.withLock { $0 }
            let text = String(decoding: captured.bytes, as: UTF8.self)
            if isEnough(text, captured.isOver) { return text }
            if captured.isOver { throw failure("ended", text) }
            outputArrived.wait()
        }
    }

    /// Waits until the output contains a text.
    @discardableResult
    func text(with words: String) throws -> String { try text { $0.contains(words) } }

    /// Waits for the first complete line with a word.
    func line(with word: String) throws -> Substring {
        func line(in text: String) -> Substring? {
            // The last line may be incomplete.
            text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .first { $0.contains(word) }
        }
        let text = try text { line(in: $0) != nil }
        return line(in: text) ?? ""
    }

    /// Waits for the end of the program and returns its output.
    func wholeText() throws -> String { try text { _, isWhole in isWhole } }

    private func failure(_ what: String, _ text: String) -> ChildProcess.Failure {
        ChildProcess.Failure(text: "“\(name)” \(what); its output: \(text)")
    }

    // MARK: Signals and end

    var isRunning: Bool { process.isRunning }

    var id: pid_t { process.processIdentifier }

    /// Sends the program a signal if it still runs.
    func signal(_ number: Int32) {
        if process.isRunning { kill(id, number) }
    }

    /// Waits until the program has ended.
    ///
    /// - Returns: the exit status, or 128 plus the number of the signal that killed it.
    @discardableResult
    func status() -> Int32 {
        ending.wait()
        process.waitUntilExit()
        // For later callers.
        ending.signal()
        let status = process.terminationStatus
        return process.terminationReason == .exit ? status : 128 + status
    }

    /// Ends the program by a signal and waits for its end.
    @discardableResult
    func end(by number: Int32 = SIGTERM) -> Int32 {
        // A suspended process handles no other signal.
        signal(SIGCONT)
        signal(number)
        return status()
    }
}
