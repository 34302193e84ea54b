import Foundation
import Testing

@testable import App

@Suite("hoga serve ends in order, whenever it is told to", .timeLimit(.minutes(30)))
struct ServeShutdownTests {
    @Test("Told while it still begins, it ends with 0")
    func earlyEnd() throws {
        let service = try RunningProgram.service()
        defer { service.end(by: SIGKILL) }
        // The kernel knows from when on the signal does not simply kill.
        while service.isRunning, !Self.withstandsTermination(service.id) {}
        #expect(service.end() == 0)
    }

    @Test("Who reads a stream is told goodbye")
    func goodbye() throws {
        let service = try RunningProgram.service()
        defer { service.end(by: SIGKILL) }
        let address = try #require(
            try service.line(with: "admin http://").split(separator: " ")
                .first { $0.hasPrefix("http://") }
        )
        let reader = try RunningProgram(
            ["curl", "--silent", "--no-buffer", "\(address)/v1/stream?limit=1"],
            hearing: .output
        )
        defer { reader.end(by: SIGKILL) }
        try reader.text(with: "event: ")
        #expect(service.end() == 0)
        #expect(try reader.wholeText().hasSuffix("event: bye\ndata: {}\n\n"))
        // Nothing was cut off.
        #expect(reader.status() == 0)
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
