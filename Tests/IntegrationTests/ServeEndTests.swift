import Foundation
import Testing

@testable import App

@Suite("hoga serve ends in order, whenever it is told to", .timeLimit(.minutes(10)))
struct ServeEndTests {
    /// A service of a simulated exchange on free ports, and what it says.
    private static func started() throws -> (process: Process, log: Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: HogaProcess.path)
        process.arguments = [
            "serve", "--exchange", "simulated", "--listen", "127.0.0.1:0",
            "--admin-listen", "127.0.0.1:0",
        ]
        process.environment = HogaProcess.environment()
        let log = Pipe()
        process.standardError = log
        try process.run()
        return (process, log)
    }

    @Test("Told while it still begins, it ends with 0")
    func earlyEnd() throws {
        let (process, log) = try Self.started()
        defer { process.terminate() }
        // The kernel knows from when on the signal does not simply kill.
        while process.isRunning, !Self.withstandsTermination(process.processIdentifier) {}
        process.terminate()
        _ = log.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    @Test("Who reads a stream is told goodbye")
    func goodbye() throws {
        let (process, log) = try Self.started()
        defer { process.terminate() }
        var lines = ""
        while !lines.contains("admin http://") {
            let data = log.fileHandleForReading.availableData
            try #require(!data.isEmpty, "hoga serve ended: \(lines)")
            lines += String(decoding: data, as: UTF8.self)
        }
        let address = try #require(
            lines.split(separator: " ").first { $0.hasPrefix("http://") }
        )
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        reader.arguments = ["curl", "--silent", "--no-buffer", "\(address)/v1/stream?limit=1"]
        let events = Pipe()
        reader.standardOutput = events
        try reader.run()
        var text = ""
        while !text.contains("event: ") {
            let data = events.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the stream ended: \(text)")
            text += String(decoding: data, as: UTF8.self)
        }
        process.terminate()
        text += String(
            decoding: events.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        reader.waitUntilExit()
        process.waitUntilExit()
        #expect(text.hasSuffix("event: bye\ndata: {}\n\n"))
        // Nothing was cut off.
        #expect(reader.terminationStatus == 0)
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }

    /// Whether a process has SIGTERM, the fifteenth signal, among those that it ignores, as it does
    /// first, or catches, as it does from soon after on.
    private static func withstandsTermination(_ pid: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        else { return false }
        return status.split(separator: "\n")
            .filter { $0.hasPrefix("SigIgn:") || $0.hasPrefix("SigCgt:") }
            .compactMap { $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } }
            .contains { $0 & (1 << 14) != 0 }
    }
}
