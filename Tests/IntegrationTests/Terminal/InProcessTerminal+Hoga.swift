import Foundation
import PresentationTerminal
import TestSupport

@testable import App

extension InProcessTerminal {
    /// Runs `hoga watch` in this process, with a store and configuration of its own, beside a job.
    ///
    /// - Parameters:
    ///   - words: the command line behind `hoga watch`.
    ///   - extra: variables besides those of ``HogaProcess/environment(_:)``.
    ///   - holdings: operands of `hoga holdings put` that run before it.
    ///   - size: the size of the terminal.
    ///   - job: ends the program when it returns.
    /// - Returns: what the job returns.
    /// - Throws: what the job throws, or why a command failed.
    static func watch<Value: Sendable>(
        _ words: String,
        environment extra: [String: String] = [:],
        holdings: [String] = [],
        size: (columns: Int, rows: Int) = (80, 24),
        _ job: @escaping @Sendable (InProcessTerminal) async throws -> Value
    ) async throws -> Value {
        let home = NSTemporaryDirectory() + "hoga-terminal-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: home) }
        var variables = HogaProcess.environment()
        for name in ["DATA", "CONFIG", "STATE", "CACHE"] { variables["XDG_\(name)_HOME"] = home }
        let environment = variables.merging(extra) { $1 }
        for holding in holdings {
            try await HogaProgram.run(
                ["holdings", "put"] + holding.split(separator: " ").map(String.init),
                environment: environment
            )
        }
        let terminal = InProcessTerminal(
            columns: size.columns,
            rows: size.rows,
            folder: home
        )
        let arguments = ["watch"] + words.split(separator: " ").map(String.init)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do throws(ProgramError) {
                    try await HogaProgram.run(
                        arguments,
                        environment: environment,
                        screenHost: terminal
                    )
                    terminal.finished("exit status 0")
                } catch {
                    terminal.finished("\(error)")
                }
            }
            let value: Value
            do {
                value = try await job(terminal)
            } catch {
                terminal.end()
                throw error
            }
            terminal.end()
            return value
        }
    }

    /// Waits for the list.
    @discardableResult
    func list(
        isShown: (ScreenText) -> Bool = { $0.contains("비트코인") && $0.contains("Enter 열기") }
    ) async throws -> ScreenText {
        try await screen("the list", where: isShown)
    }
}
