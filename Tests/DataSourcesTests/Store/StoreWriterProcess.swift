import Foundation
import TestSupport

/// The program that writes to a store as a process of its own.
enum StoreWriterProcess {
    /// Starts it; its words are explained in its own source.
    static func start(_ words: [String]) throws -> ChildProcess {
        // The test runner lies in the same folder as the products of the build.
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return try ChildProcess([folder.appendingPathComponent("StoreWriter").path] + words)
    }

    /// Runs it to its last line, which is one of them.
    static func run(_ words: [String]) async throws -> [String] {
        try await onBlockingThread {
            let process = try start(words)
            var lines: [String] = []
            while true {
                let line = try process.readLine()
                lines.append(line)
                if line.hasPrefix("done") || line.hasPrefix("failed") { return lines }
            }
        }
    }
}
