import Foundation
import HeapMemory
import Testing

@Suite("Heap trimming is due when much memory became idle since the last trim")
struct HeapTrimPolicyTests {
    private static let excess = HeapTrimPolicy.excessMin

    @Test("the first call only measures")
    func start() {
        var plan = HeapTrimPolicy()
        let isDue = plan.isDue(idleBytes: 10 * Self.excess)
        #expect(!isDue)
    }

    @Test("trimmed memory is trimmed again only after it was reused")
    func run() {
        var plan = HeapTrimPolicy()
        let looks: [(idle: Int, isDue: Bool)] = [
            (1_000, false), (1_000 + Self.excess - 1, false), (1_000 + Self.excess, true),
            (1_000 + Self.excess, false), (2 * Self.excess, false),
            // Used again by some, and freed again.
            (2_000, false), (Self.excess, false), (2_000 + Self.excess, true),
            (3 * Self.excess, true),
        ]
        for look in looks {
            let isDue = plan.isDue(idleBytes: look.idle)
            #expect(isDue == look.isDue, "\(look.idle)")
        }
    }

    @Test(
        "a trim of the allocator leaves used memory intact",
        .enabled(
            if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil,
            "the sanitizer has an allocator of its own"
        )
    )
    func allocator() {
        var kept: [[UInt8]] = []
        for number in 0..<2_000 {
            let block = [UInt8](repeating: UInt8(number % 251), count: 16_384)
            if number.isMultiple(of: 2) { kept.append(block) }
        }
        #expect(HeapMemory.idleBytes > 0)
        HeapMemory.trim()
        for (place, block) in kept.enumerated() {
            let byte = UInt8(place * 2 % 251)
            #expect(block.allSatisfy { $0 == byte })
        }
    }
}
