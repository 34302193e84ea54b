import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import App

/// A control connection to a tmux server with one session (tmux(1), "CONTROL MODE").
///
/// Answers stand between `%begin` and `%end`, in the order of the commands; `%output` and other
/// notifications stand between them.
final class TmuxControl: Sendable {
    private struct State {
        /// The lines of the answer being read; nil outside of one.
        var answer: [String]?
        var answers: [Result<[String], TerminalFailure>] = []
        var outputCount = 0
        var waiter: CheckedContinuation<Void, any Error>?
        var isCancelled = false
        var isClosed = false
        /// The process of the server; nil before it has told, and once it is ended.
        var server: pid_t?

        /// Takes a line; says whether an answer is complete, and who waits for output that came.
        mutating func receive(
            _ line: String
        ) -> (isAnswer: Bool, waiter: CheckedContinuation<Void, any Error>?) {
            if let answer {
                let isError = line.hasPrefix("%error ")
                guard isError || line.hasPrefix("%end ") else {
                    self.answer = answer + [line]
                    return (false, nil)
                }
                self.answer = nil
                // The last field tells commands of this client from those of others.
                guard line.hasSuffix(" 1") else { return (false, nil) }
                let text = answer.joined(separator: " ")
                answers.append(
                    isError
                        ? .failure(TerminalFailure(description: "tmux: \(text)")) : .success(answer)
                )
                return (true, nil)
            }
            if line.hasPrefix("%begin ") {
                answer = []
                return (false, nil)
            }
            outputCount += 1
            defer { waiter = nil }
            return (false, waiter)
        }
    }

    private let client = Process()
    private let input = Pipe()
    private let state = Mutex(State())
    /// Signaled for each answer, and once at the end.
    private let answered = DispatchSemaphore(value: 0)
    /// One command line at a time.
    private let turn = Mutex(())

    /// Starts a server with one window and connects to it; a folder holds its socket and is where
    /// the window's command starts.
    init(
        folder: String,
        settings: String,
        size: (columns: Int, rows: Int),
        environment: [String: String],
        command: String
    ) throws {
        let socket = folder + "/socket"
        // tmux may end while a command is written.
        Lifecycle.ignoreBrokenPipes()
        // Foundation's Process would wait for the server, which inherits its descriptors.
        try ChildProcess.run(
            ["env", "-i"] + environment.map { "\($0.key)=\($0.value)" } + [
                "tmux", "-S", socket, "-f", settings, "new-session", "-d",
                "-c", folder, "-x", "\(size.columns)", "-y", "\(size.rows)", command,
            ]
        )
        let output = Pipe()
        client.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        client.arguments = ["tmux", "-N", "-S", socket, "-C", "attach-session"]
        client.environment = environment
        client.standardInput = input
        client.standardOutput = output
        client.standardError = FileHandle.nullDevice
        try client.run()
        Thread { [self] in
            read(output.fileHandleForReading.fileDescriptor)
            withExtendedLifetime(output) {}
        }.start()
        // The server ends with this connection, however this process ends.
        let answers = try answers([
            ["set-option", "-g", "exit-unattached", "on"],
            ["display-message", "-p", "#{pid}"],
        ])
        guard let server = answers[1].first.flatMap({ pid_t($0) }) else {
            throw TerminalFailure(description: "tmux does not report its process: \(answers[1])")
        }
        state.withLock { $0.server = server }
    }

    /// Ends the server with its window.
    ///
    /// By signal: the server waits for its client before it ends by `kill-server`, and the client
    /// waits for the end of an input that children of this process may have inherited.
    func close() {
        let server = state.withLock { state in
            state.isClosed ? nil : state.server.take()
        }
        if let server { kill(server, SIGKILL) }
        try? input.fileHandleForWriting.close()
    }

    // MARK: Commands

    /// Runs commands of one line and returns the lines that each printed.
    func answers(_ commands: [[String]]) throws -> [[String]] {
        let line = commands.map { $0.map(Self.quoted).joined(separator: " ") }
            .joined(separator: " ; ")
        return try turn.withLock { _ in
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
            return try commands.map { _ in
                answered.wait()
                let answer = state.withLock { state in
                    state.answers.isEmpty ? nil : state.answers.removeFirst()
                }
                guard let answer else {
                    answered.signal()
                    throw TerminalFailure(description: "tmux has ended: \(line.prefix(80))")
                }
                return try answer.get()
            }
        }
    }

    private static func quoted(_ word: String) -> String {
        "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }

    // MARK: Output

    /// The number of output reports of the window.
    var outputCount: Int { state.withLock { $0.outputCount } }

    /// Waits until the window has reported output more often than `count` times.
    ///
    /// - Throws: `CancellationError`, or ``TerminalFailure`` when tmux has ended.
    func output(after count: Int) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.isCancelled { return .failure(CancellationError()) }
                    if state.isClosed { return .failure(Self.ended) }
                    if state.outputCount > count { return .success(()) }
                    state.waiter = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                return state.waiter.take()
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private static var ended: TerminalFailure { TerminalFailure(description: "tmux has ended") }

    private func read(_ descriptor: Int32) {
        var part = [UInt8](repeating: 0, count: 65_536)
        var line: [UInt8] = []
        while true {
            let count = unsafe Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for byte in part[..<count] {
                if byte == UInt8(ascii: "\n") {
                    receive(String(decoding: line, as: UTF8.self))
                    line.removeAll(keepingCapacity: true)
                } else {
                    line.append(byte)
                }
            }
        }
        let waiter = state.withLock { state in
            state.isClosed = true
            return state.waiter.take()
        }
        waiter?.resume(throwing: Self.ended)
        answered.signal()
    }

    private func receive(_ line: String) {
        let (isAnswer, waiter) = state.withLock { state in
            state.receive(line)
        }
        if isAnswer { answered.signal() }
        waiter?.resume()
    }
}
