import DataSourcesBithumb
import TestSupport
import Testing

@Suite("A request pacer keeps the exact rate of each category")
struct RequestPacerTests {
    private static let rates = [
        RequestRate(perSecond: 100, burst: 100, pause: .seconds(60)),
        RequestRate(perSecond: 3, burst: 1, pause: .seconds(1)),
        RequestRate(perSecond: 7, burst: 20, pause: .milliseconds(300)),
        RequestRate(perSecond: 150, burst: 5, pause: .seconds(10)),
    ]

    /// Random steps of time, most of them short, some long enough to fill the bucket.
    private func step(using generator: inout SeededGenerator) -> Duration {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: .zero
        case 5..<9: .microseconds(Int.random(in: 0...40_000, using: &generator))
        default: .milliseconds(Int.random(in: 0...3_000, using: &generator))
        }
    }

    @Test("an idle category gives its burst at once, then one token an interval")
    func burst() {
        var pacer = RequestPacer(rate: Self.rates[2])
        let start = Duration.seconds(5)
        for _ in 0..<20 { #expect(pacer.request(.ticker, at: start) == .go) }
        guard case .wait(let delay) = pacer.request(.ticker, at: start) else {
            Issue.record("the twenty-first passed")
            return
        }
        // A seventh of a second, rounded up to what a Duration can say.
        #expect(delay * 7 >= .seconds(1) && delay * 7 < .seconds(1) + .nanoseconds(1))
        #expect(pacer.request(.ticker, at: start + delay) == .go)
        #expect(pacer.request(.ticker, at: start + delay) != .go)
    }

    @Test("no window passes more than rate × window + burst", arguments: rates)
    func windows(rate: RequestRate) throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var pacer = RequestPacer(rate: rate)
            var now = Duration.zero
            var passed: [Duration] = []
            for _ in 0..<1_500 {
                now += step(using: &generator)
                if pacer.request(.ticker, at: now) == .go { passed.append(now) }
                if Int.random(in: 0..<40, using: &generator) == 0 {
                    let remaining = Int.random(in: -1...150, using: &generator)
                    pacer.note(remaining: remaining, .ticker, at: now)
                }
            }
            try #require(passed.count > rate.burst)
            // For passes i <= j: j - i + 1 <= rate × (time j - time i) + burst. With
            // excess i = i - rate × time i that is: excess j - excess i < burst.
            let second: Int128 = 1_000_000_000_000_000_000
            var least = Int128.max
            var largestRise = Int128.min
            for (index, time) in passed.enumerated() {
                let excess = Int128(index) * second - time.attoseconds * Int128(rate.perSecond)
                least = min(least, excess)
                largestRise = max(largestRise, excess - least)
            }
            #expect(largestRise <= Int128(rate.burst - 1) * second)
        }
    }

    @Test("a request goes exactly after its wait", arguments: rates)
    func promisedWait(rate: RequestRate) {
        var generator = SeededGenerator(seed: 7)
        var pacer = RequestPacer(rate: rate)
        var now = Duration.zero
        for _ in 0..<2_000 {
            now += step(using: &generator)
            guard case .wait(let delay) = pacer.request(.ticker, at: now) else { continue }
            #expect(delay > .zero)
            var early = pacer
            let moment = now + delay - Duration(secondsComponent: 0, attosecondsComponent: 1)
            #expect(early.request(.ticker, at: moment) != .go)
            now += delay
            #expect(pacer.request(.ticker, at: now) == .go)
        }
    }

    @Test("a paused category lets nothing through; others are unaffected", arguments: rates)
    func pauses(rate: RequestRate) {
        var generator = SeededGenerator(seed: 11)
        var paused = RequestPacer(rate: rate)
        var undisturbed = RequestPacer(rate: rate)
        var now = Duration.zero
        var until = Duration.zero
        for _ in 0..<3_000 {
            now += step(using: &generator)
            let other = RequestCategory.allCases.randomElement(using: &generator) ?? .other
            if other != .trades {
                #expect(paused.request(other, at: now) == undisturbed.request(other, at: now))
            }
            if Int.random(in: 0..<200, using: &generator) == 0 {
                until = paused.pause(.trades, at: now)
                #expect(until == now + rate.pause)
            }
            let answer = paused.request(.trades, at: now)
            if now < until { #expect(answer == .paused(until: until)) }
            if case .paused = answer { #expect(now < until) }
        }
    }

    @Test("a category restarts with one token after a pause")
    func afterPause() {
        var pacer = RequestPacer()
        let until = pacer.pause(.ticker, at: .seconds(1))
        #expect(until == .seconds(61))
        let before = until - .nanoseconds(1)
        #expect(pacer.request(.ticker, at: before) == .paused(until: until))
        #expect(pacer.request(.ticker, at: until) == .go)
        #expect(pacer.request(.ticker, at: until) == .wait(.milliseconds(10)))
    }

    @Test("a second refusal never shortens a pause")
    func pauseAgain() {
        var pacer = RequestPacer()
        #expect(pacer.pause(.ticker, at: .seconds(10)) == .seconds(70))
        #expect(pacer.pause(.ticker, at: .seconds(20)) == .seconds(80))
        #expect(pacer.pause(.ticker, at: .seconds(5)) == .seconds(80))
    }

    @Test(
        "remaining requests of the exchange only reduce tokens",
        arguments: [(-3, 0), (0, 0), (1, 1), (40, 40), (99, 99), (100, 100), (149, 100)]
    )
    func remaining(remaining: Int, expected: Int) {
        var pacer = RequestPacer()
        pacer.note(remaining: remaining, .ticker, at: .seconds(3))
        var count = 0
        while count <= expected, pacer.request(.ticker, at: .seconds(3)) == .go { count += 1 }
        #expect(count == expected)
        pacer.note(remaining: 150, .ticker, at: .seconds(3))
        #expect(pacer.request(.ticker, at: .seconds(3)) != .go)
        #expect(pacer.request(.orderbook, at: .seconds(3)) == .go)
    }

    @Test("a clock that goes back yields no extra token")
    func backwards() {
        var pacer = RequestPacer(rate: Self.rates[1])
        #expect(pacer.request(.other, at: .seconds(10)) == .go)
        guard case .wait(let delay) = pacer.request(.other, at: .seconds(9)) else {
            Issue.record("a token was given twice")
            return
        }
        #expect(delay > .seconds(1))
    }
}
