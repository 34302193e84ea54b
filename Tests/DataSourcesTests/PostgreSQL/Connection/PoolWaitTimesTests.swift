import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite("Waits for a connection are counted, with the longest of the last minute")
struct PoolWaitTimesTests {
    @Test("count and sum grow; the longest wait expires after a minute")
    func lately() {
        var waits = PoolWaitTimes()
        #expect(waits.longest(at: .seconds(5)) == nil)
        waits.note(.milliseconds(20), at: .seconds(5))
        waits.note(.seconds(2), at: .seconds(7))
        waits.note(.milliseconds(30), at: .seconds(40))
        #expect(waits.count == 3 && waits.total == .milliseconds(2_050))
        #expect(waits.longest(at: .seconds(59)) == .seconds(2))
        #expect(waits.longest(at: .seconds(60)) == .milliseconds(30))
        #expect(waits.longest(at: .seconds(100)) == nil)
        waits.note(.zero, at: .seconds(3_600))
        #expect(waits.longest(at: .seconds(3_600)) == .zero)
    }

    @Test("the longest wait is never below that of the exact last minute", arguments: 0..<20)
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var waits = PoolWaitTimes()
        var noted: [(at: Duration, wait: Duration)] = []
        var now = Duration.zero
        for _ in 0..<200 {
            now += .milliseconds(Int64.random(in: 0...4_000, using: &generator))
            let wait = Duration.milliseconds(Int64.random(in: 0...2_000, using: &generator))
            waits.note(wait, at: now)
            noted.append((now, wait))
            let longest = waits.longest(at: now) ?? .zero
            // Spans of ten seconds: at least fifty seconds are looked at, never more than sixty.
            let within = { (span: Duration) in
                noted.filter { $0.at > now - span }.map(\.wait).max() ?? .zero
            }
            #expect(longest >= within(.seconds(50)) && longest <= within(.seconds(60)))
        }
        #expect(waits.count == 200)
        #expect(waits.total == noted.reduce(.zero) { $0 + $1.wait })
    }

    @Test("a pool counts each request that gets a connection, or none in time")
    func plan() throws {
        var plan = PoolStateMachine(bounds: .init(connectionsMax: 1))
        let first = try plan.submit(.batch(isRepeatable: false), timeLimit: nil, at: .zero)
        guard case .connect(let connection) = plan.takeCommands().first else {
            Issue.record("a connection is opened")
            return
        }
        plan.connected(connection, at: .milliseconds(300))
        #expect(plan.waits.count == 1 && plan.waits.total == .milliseconds(300))
        _ = try plan.submit(.batch(isRepeatable: false), timeLimit: nil, at: .milliseconds(400))
        plan.advance(to: .milliseconds(2_400))
        #expect(plan.waits.count == 2 && plan.waits.total == .milliseconds(2_300))
        #expect(plan.waits.longest(at: .milliseconds(2_400)) == .seconds(2))
        _ = first
    }
}
