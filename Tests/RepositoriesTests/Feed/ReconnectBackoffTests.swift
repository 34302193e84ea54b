import TestSupport
import Testing

@testable import Repositories

@Suite("Attempts come quickly at first, then retryWhileLocked, and never all at once")
struct ReconnectBackoffTests {
    private static let seeds: [UInt64] = Array(1...50)
    /// The whole waits of the first minute, by the attempt they precede.
    private static let wholes: [Duration] = [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(8),
    ]

    @Test("doubles from half a second to eight", arguments: [0, 1_024] as [UInt64])
    func table(random: UInt64) {
        var backoff = ReconnectBackoff()
        for (index, whole) in Self.wholes.enumerated() {
            let wait = backoff.failed(at: .zero, random: random)
            #expect(wait == (random == 0 ? whole / 2 : whole))
            #expect(backoff.attempt == index + 1)
        }
    }

    @Test("waits between half and the whole, and uses all of that", arguments: seeds)
    func spread(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var backoff = ReconnectBackoff()
        for whole in Self.wholes {
            let wait = backoff.failed(at: .zero, random: generator.next())
            #expect(wait >= whole / 2 && wait <= whole)
        }
        let first = (0..<200).map { _ in
            var fresh = ReconnectBackoff()
            return fresh.failed(at: .zero, random: generator.next())
        }
        #expect(Set(first).count > 100, "programs that fail together do not return together")
        #expect(first.contains { $0 < .milliseconds(300) })
        #expect(first.contains { $0 > .milliseconds(450) })
    }

    /// When attempts are made that all fail at once, the failure before the first at zero.
    private static func attempts(
        until end: Duration,
        random: () -> UInt64
    ) -> [Duration] {
        var backoff = ReconnectBackoff()
        var now = Duration.zero
        var attempts: [Duration] = []
        while now <= end {
            now += backoff.failed(at: now, random: random())
            attempts.append(now)
        }
        return attempts
    }

    @Test("makes at most 18 attempts in any 60 seconds, however short the waits")
    func shortestWaits() {
        let attempts = Self.attempts(until: .seconds(600)) { 0 }
        #expect(attempts.count { $0 <= .seconds(60) } == 18)
        for start in [.zero] + attempts {
            let count = attempts.count { $0 > start && $0 <= start + .seconds(60) }
            #expect(count <= 18, "after \(start)")
        }
    }

    @Test("makes at most 18 attempts in any 60 seconds, at random", arguments: seeds)
    func randomWaits(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let attempts = Self.attempts(until: .seconds(600)) { generator.next() }
        for start in attempts {
            #expect(attempts.count { $0 >= start && $0 < start + .seconds(60) } <= 18)
        }
    }

    @Test("turns patient after a minute of failing", arguments: seeds)
    func patience(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var backoff = ReconnectBackoff()
        _ = backoff.failed(at: .seconds(100), random: generator.next())
        let last = backoff.failed(at: .milliseconds(159_999), random: generator.next())
        #expect(last <= .seconds(8))
        for second in [160, 200, 3_000] {
            let wait = backoff.failed(at: .seconds(second), random: generator.next())
            #expect(wait >= .seconds(15) && wait <= .seconds(30))
        }
    }

    @Test("begins anew after a success")
    func success() {
        var backoff = ReconnectBackoff()
        for _ in 0..<5 { _ = backoff.failed(at: .zero, random: 0) }
        backoff.succeeded()
        #expect(backoff.attempt == 0)
        #expect(backoff.failed(at: .seconds(500), random: 1_024) == .milliseconds(500))
        #expect(backoff.failed(at: .seconds(501), random: 1_024) == .seconds(1))
    }

    @Test("waits as long as the exchange asked for, if that is longer")
    func pauses() {
        var backoff = ReconnectBackoff()
        #expect(backoff.failed(at: .zero, random: 0, pause: .seconds(3)) == .seconds(3))
        #expect(backoff.failed(at: .zero, random: 1_024, pause: .milliseconds(1)) == .seconds(1))
    }

    @Test("keeps its bounds for years of failing")
    func manyAttempts() {
        var backoff = ReconnectBackoff()
        for attempt in 1...1_000 {
            let wait = backoff.failed(at: .zero, random: .max)
            #expect(wait <= .seconds(8))
            #expect(backoff.attempt == attempt)
        }
    }
}
