import Foundation
import Testing

@testable import App

@Suite("Shutdown of hoga serve", .ownThread, .timeLimit(.minutes(4)))
struct ServeShutdownTests {
    @Test("SIGTERM during start-up ends it with status 0")
    func earlyEnd() throws {
        let service = try RunningProgram.service()
        defer { service.end(by: SIGKILL) }
        // /proc tells when the process handles the signal.
        while service.isRunning, !Self.handlesTermination(service.id) {}
        #expect(service.end() == 0)
    }

    @Test("readers of a stream receive a bye event")
    func goodbye() throws {
        let service = try RunningProgram.service()
        defer { service.end(by: SIGKILL) }
        let address = try #require(
            try service.line(with: "admin http://").split(separator: " ")
                .first { $0.hasPrefix("http://") }
        )
        let reader = try RunningProgram(
            ["curl", "--silent", "--no-buffer", "\(address)/v1/stream?limit=1"],
            reading: .output
        )
        defer { reader.end(by: SIGKILL) }
        try reader.text(with: "event: ")
        #expect(service.end() == 0)
        #expect(try reader.wholeText().hasSuffix("event: bye\ndata: {}\n\n"))
        // The response was complete.
        #expect(reader.status() == 0)
    }

    /// Whether a process handles SIGTERM (signal 15) itself.
    private static func handlesTermination(_ pid: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        else { return false }
        return status.split(separator: "\n")
            .first { $0.hasPrefix("SigCgt:") }
            .flatMap { $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } }
            .map { $0 & (1 << 14) != 0 } ?? false
    }
}
