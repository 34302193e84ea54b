import Foundation

/// The program `hoga` in a process.
enum HogaProcess {
    /// The path of the binary built with these tests.
    static let path: String = {
        // The test runner lies in the same folder as the products of the build.
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return folder.appendingPathComponent("hoga").path
    }()

    /// An environment without the settings and files of the user who runs the tests.
    static func environment(_ extra: [String: String] = [:]) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("HOGA_")
        }
        environment["XDG_CONFIG_HOME"] = "/proc/nonexistent"
        environment["XDG_STATE_HOME"] = NSTemporaryDirectory() + "hoga-state"
        // Each run has a store of its own.
        environment["XDG_DATA_HOME"] = NSTemporaryDirectory() + "hoga-data-\(UUID().uuidString)"
        environment["LC_ALL"] = "C.UTF-8"
        environment["TERM"] = "xterm-256color"
        return environment.merging(extra) { $1 }
    }

    /// The result of a run.
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs hoga to its end, without a terminal.
    ///
    /// - Parameters:
    ///   - arguments: the command line.
    ///   - extra: variables besides those of `environment(_:)`.
    ///   - device: an existing file that receives the output instead.
    /// - Returns: its exit status and output.
    /// - Throws: Foundation's error if it cannot be started.
    static func run(
        _ arguments: [String],
        environment extra: [String: String] = [:],
        outputPath device: String? = nil
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let environment = environment(extra)
        process.environment = environment
        defer {
            if extra["XDG_DATA_HOME"] == nil, let folder = environment["XDG_DATA_HOME"] {
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
        process.standardInput = FileHandle.nullDevice
        // Files, because a full pipe would block the program while this waits.
        let base = NSTemporaryDirectory() + "hoga-run-\(UUID().uuidString)"
        let (outputPath, errorsPath) = (base + ".out", base + ".err")
        for path in [outputPath, errorsPath] {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        defer {
            for path in [outputPath, errorsPath] {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
        process.standardOutput = try FileHandle(
            forWritingTo: URL(fileURLWithPath: device ?? outputPath)
        )
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorsPath))
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: try String(contentsOfFile: outputPath, encoding: .utf8),
            errors: try String(contentsOfFile: errorsPath, encoding: .utf8)
        )
    }
}
