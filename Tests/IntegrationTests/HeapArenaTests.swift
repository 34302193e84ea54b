import Foundation
import Testing

@Suite("Heap of hoga serve", .ownThread, .timeLimit(.minutes(4)))
struct HeapArenaTests {
    /// The C library places the heaps of all arenas but the first at multiples of 64 MiB.
    private static let heapAlignment = 64 << 20

    @Test("the threads share one arena for each processor")
    func arenas() throws {
        let service = try RunningProgram.service()
        defer { service.end(by: SIGKILL) }
        let heaps = try Self.heaps(of: service)
        // Beside the first arena, which is no such mapping.
        #expect(heaps.count < ProcessInfo.processInfo.processorCount, "\(heaps)")
        #expect(service.end() == 0)
    }

    @Test("MALLOC_ARENA_MAX of the environment counts instead")
    func environment() throws {
        let service = try RunningProgram.service(environment: ["MALLOC_ARENA_MAX": "64"])
        defer { service.end(by: SIGKILL) }
        let heaps = try Self.heaps(of: service)
        #expect(heaps.count >= ProcessInfo.processInfo.processorCount, "\(heaps)")
        #expect(service.end() == 0)
    }

    /// The heaps of a service that answers, as the lines of its memory map.
    private static func heaps(of service: RunningProgram) throws -> [Substring] {
        _ = try service.line(with: "admin http://")
        let map = try String(contentsOfFile: "/proc/\(service.id)/maps", encoding: .utf8)
        return map.split(separator: "\n").filter { line in
            guard line.contains(" rw-p 00000000 00:00 0"),
                let start = line.split(separator: "-").first.flatMap({ Int($0, radix: 16) })
            else { return false }
            return start.isMultiple(of: heapAlignment)
        }
    }
}
