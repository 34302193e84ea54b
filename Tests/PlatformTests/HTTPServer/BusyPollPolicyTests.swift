import TestSupport
import Testing

@testable import HTTPServer

@Suite("A loop asks on for a while only where that has just paid")
struct BusyPollPolicyTests {
    /// Asks as a loop does until something comes, and tells for how long it was awake.
    private static func wait(_ patience: inout BusyPollPolicy, until arrival: Int64) -> Int64 {
        var awake: Int64 = 0
        while awake < arrival, patience.asksAgain(after: awake) { awake += 1_000 }
        patience.note(waited: arrival)
        return awake
    }

    @Test("After a row of short waits it is awake when the next one ends")
    func lockstep() {
        var patience = BusyPollPolicy()
        let awake = (0..<20).map { _ in Self.wait(&patience, until: 30_000) }
        let asleep = BusyPollPolicy.shortWaitsMin
        #expect(awake.prefix(asleep).allSatisfy { $0 == 0 })
        #expect(awake.dropFirst(asleep).allSatisfy { $0 == 30_000 })
    }

    @Test("One long wait ends that, after the time that it asks at the most")
    func end() {
        var patience = BusyPollPolicy()
        for _ in 0..<20 { _ = Self.wait(&patience, until: 30_000) }
        let awake = (0..<20).map { _ in Self.wait(&patience, until: 250_000_000) }
        #expect(awake == [BusyPollPolicy.nanosecondsMax] + Array(repeating: 0, count: 19))
        for _ in 0..<BusyPollPolicy.shortWaitsMin {
            #expect(!patience.asksAgain(after: 0))
            _ = Self.wait(&patience, until: 30_000)
        }
        #expect(patience.asksAgain(after: 0))
    }

    @Test("However waits fall, it asks in vain once for a row of short waits at the most")
    func bound() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var patience = BusyPollPolicy()
            var (vain, short) = (0, 0)
            let share = UInt64.random(in: 1...9, using: &random)
            for _ in 0..<500 {
                let isShort = UInt64.random(in: 0..<10, using: &random) < share
                let awake = Self.wait(&patience, until: isShort ? 20_000 : 5_000_000)
                if isShort { short += 1 } else if awake > 0 { vain += 1 }
                #expect(awake <= BusyPollPolicy.nanosecondsMax)
            }
            #expect(vain * BusyPollPolicy.shortWaitsMin <= short)
        }
    }
}
