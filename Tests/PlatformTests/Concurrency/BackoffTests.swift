import Concurrency
import TestSupport
import Testing

@Suite("A backoff doubles its waits with jitter, then waits steadily")
struct BackoffTests {
    private static let seeds: [UInt64] = Array(1...50)
    private static let policy = Backoff.Policy(
        first: .milliseconds(500),
        longest: .seconds(8),
        steady: .seconds(30)
    )
    /// The whole waits of the first minute, by the attempt that they precede.
    private static let wholes: [Duration] = [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(8),
    ]

    @Test("waits double from the first to the longest", arguments: [0, 1_024] as [UInt64])
    func table(random: UInt64) {
        var backoff = Backoff(Self.policy)
        for (index, whole) in Self.wholes.enumerated() {
            let wait = backoff.failed(at: .zero, random: random)
            #expect(wait == (random == 0 ? whole / 2 : whole))
            #expect(backoff.attempt == index + 1)
        }
    }

    @Test("waits use the whole range from half to whole", arguments: seeds)
    func spread(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var backoff = Backoff(Self.policy)
        for whole in Self.wholes {
            let wait = backoff.failed(at: .zero, random: generator.next())
            #expect(wait >= whole / 2 && wait <= whole)
        }
        let first = (0..<200).map { _ in
            var fresh = Backoff(Self.policy)
            return fresh.failed(at: .zero, random: generator.next())
        }
        #expect(Set(first).count > 100, "programs that fail together do not return together")
        #expect(first.contains { $0 < .milliseconds(300) })
        #expect(first.contains { $0 > .milliseconds(450) })
    }

    /// The times of attempts that all fail at once, after a first failure at zero.
    private static func attempts(
        until end: Duration,
        random: () -> UInt64
    ) -> [Duration] {
        var backoff = Backoff(policy)
        var now = Duration.zero
        var attempts: [Duration] = []
        while now <= end {
            now += backoff.failed(at: now, random: random())
            attempts.append(now)
        }
        return attempts
    }

    @Test("the shortest waits make at most 18 attempts in any 60 seconds")
    func shortestWaits() {
        let attempts = Self.attempts(until: .seconds(600)) { 0 }
        #expect(attempts.count { $0 <= .seconds(60) } == 18)
        for start in [.zero] + attempts {
            let count = attempts.count { $0 > start && $0 <= start + .seconds(60) }
            #expect(count <= 18, "after \(start)")
        }
    }

    @Test("random waits make at most 18 attempts in any 60 seconds", arguments: seeds)
    func randomWaits(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let attempts = Self.attempts(until: .seconds(600)) { generator.next() }
        for start in attempts {
            #expect(attempts.count { $0 >= start && $0 < start + .seconds(60) } <= 18)
        }
    }

    @Test("waits become steady after a minute of failures", arguments: seeds)
    func steady(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var backoff = Backoff(Self.policy)
        _ = backoff.failed(at: .seconds(100), random: generator.next())
        let last = backoff.failed(at: .milliseconds(159_999), random: generator.next())
        #expect(last <= .seconds(8))
        for second in [160, 200, 3_000] {
            let wait = backoff.failed(at: .seconds(second), random: generator.next())
            #expect(wait >= .seconds(15) && wait <= .seconds(30))
        }
    }

    @Test("a policy without a steady wait keeps the longest one")
    func noSteady() {
        var backoff = Backoff(.init(first: .milliseconds(100), longest: .seconds(5)))
        for _ in 0..<10 { _ = backoff.failed(at: .zero, random: 0) }
        #expect(backoff.failed(at: .seconds(3_600), random: 1_024) == .seconds(5))
    }

    @Test("a success starts the waits over")
    func success() {
        var backoff = Backoff(Self.policy)
        for _ in 0..<5 { _ = backoff.failed(at: .zero, random: 0) }
        backoff.succeeded()
        #expect(backoff.attempt == 0)
        #expect(backoff.failed(at: .seconds(500), random: 1_024) == .milliseconds(500))
        #expect(backoff.failed(at: .seconds(501), random: 1_024) == .seconds(1))
    }

    @Test("a longer pause that the server asked for is kept")
    func pauses() {
        var backoff = Backoff(Self.policy)
        #expect(backoff.failed(at: .zero, random: 0, pause: .seconds(3)) == .seconds(3))
        #expect(backoff.failed(at: .zero, random: 1_024, pause: .milliseconds(1)) == .seconds(1))
    }

    @Test("a thousand failures stay within the bounds")
    func manyAttempts() {
        var backoff = Backoff(Self.policy)
        for attempt in 1...1_000 {
            let wait = backoff.failed(at: .zero, random: .max)
            #expect(wait <= .seconds(8))
            #expect(backoff.attempt == attempt)
        }
    }
}
