import Foundation
import TestSupport

/// The program that writes to a store as a separate process.
enum StoreWriterProcess {
    /// Starts it; its arguments are explained in its source.
    static func start(_ words: [String]) throws -> ChildProcess {
        // The test runner lies in the folder of the build's products.
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return try ChildProcess([folder.appendingPathComponent("StoreWriter").path] + words)
    }

    /// Runs it to the end and returns its lines.
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
