import Domain
import TestSupport
import Testing

@Suite("Local time without steps back")
struct SteadyTimeTests {
    @Test("a clock that goes on, or is set forward, is told as it is")
    func forward() {
        var time = SteadyTime()
        for (wall, uptime) in [(0, 0), (1, 1), (1, 2), (40, 3), (41, 4)] {
            let told = time.time(.noon(wall), uptime: .seconds(uptime))
            // A second in which the clock stood still.
            let expected: Timestamp =
                uptime == 2 ? .noon(1).advanced(by: .milliseconds(750)) : .noon(wall)
            #expect(told == expected)
        }
    }

    @Test("a clock that is set back by 6 s is told slower for 24 s")
    func back() {
        var time = SteadyTime()
        #expect(time.time(.noon(100), uptime: .seconds(10)) == .noon(100))
        #expect(time.time(.noon(98), uptime: .seconds(14)) == .noon(103))
        #expect(time.time(.noon(106), uptime: .seconds(22)) == .noon(109))
        #expect(time.time(.noon(118), uptime: .seconds(34)) == .noon(118))
        #expect(time.time(.noon(119), uptime: .seconds(35)) == .noon(119))
    }

    @Test("a clock that is set back by more than a minute was wrong before")
    func farBack() {
        var time = SteadyTime()
        _ = time.time(.noon(3_600), uptime: .zero)
        #expect(time.time(.noon(1), uptime: .seconds(1)) == .noon(1))
    }

    @Test("a clock that is, or is set, ahead of the exchange's is told as that, but for a day")
    func ahead() {
        var time = SteadyTime()
        #expect(time.time(.noon(900), uptime: .zero) == .noon(900))
        time.bound(by: .noon(1), asOf: .zero)
        #expect(time.time(.noon(902), uptime: .seconds(2)) == .noon(3))
        #expect(time.time(.noon(5), uptime: .seconds(4)) == .noon(5))
        #expect(time.time(.noon(86_000), uptime: .seconds(5)) == .noon(6))
        #expect(time.time(.noon(86_411), uptime: .seconds(8)) == .noon(86_411))
    }

    @Test("of dates that differ by little the earliest bound counts, for a while")
    func dates() {
        var time = SteadyTime()
        func told(_ uptime: Int) -> Timestamp {
            time.time(.noon(3_600), uptime: .seconds(uptime))
        }
        time.bound(by: .noon(1), asOf: .zero)
        // A response that took four seconds.
        time.bound(by: .noon(15), asOf: .seconds(10))
        #expect(told(10) == .noon(11))
        time.bound(by: .noon(20), asOf: .seconds(20))
        #expect(told(20) == .noon(20))
        // The clocks may have drifted apart.
        time.bound(by: .noon(221), asOf: .seconds(220))
        #expect(told(220) == .noon(221))
        // The machine slept.
        time.bound(by: .noon(250), asOf: .seconds(230))
        #expect(told(230) == .noon(250))
    }

    @Test("a clock that was ahead at the start is told as the exchange's at once, if by much")
    func aheadAtStart() {
        for (ahead, told) in [(53, Timestamp.noon(2)), (5, .noon(plus: .milliseconds(5_750)))] {
            var time = SteadyTime()
            _ = time.time(.noon(ahead), uptime: .zero)
            time.bound(by: .noon(1), asOf: .zero)
            #expect(time.time(.noon(ahead + 1), uptime: .seconds(1)) == told)
        }
    }

    @Test("data are fresh for a while, and of unknown age if they are of as much later")
    func freshness() {
        for (second, isFresh) in [(-6, false), (-5, false), (-4, true), (0, true), (4, true)] {
            #expect(Timestamp.noon(second).isFresh(at: .noon(), for: .seconds(5)) == isFresh)
        }
        for second in [5, 6, 900] {
            #expect(!Timestamp.noon(second).isFresh(at: .noon(), for: .seconds(5)))
        }
    }

    @Test("whatever is done to the clock, told ages are three quarters of the true ones or more")
    func ages() {
        var random = SeededGenerator(seed: 11)
        var time = SteadyTime()
        var (wall, uptime) = (Timestamp.noon(), Duration.zero)
        var before = time.time(wall, uptime: uptime)
        for _ in 0..<20_000 {
            let elapsed = Duration.milliseconds(Int.random(in: 0...3_000, using: &random))
            let isStep = Int.random(in: 0..<10, using: &random) == 0
            // Behind the told time by a minute at most.
            let back = -max(0, 59_000 - Int(before.duration(since: wall) / .milliseconds(1)))
            let step = isStep ? Int.random(in: back...30_000, using: &random) : 0
            uptime += elapsed
            wall = wall.advanced(by: elapsed + .milliseconds(step))
            let told = time.time(wall, uptime: uptime)
            #expect(told.duration(since: before) >= elapsed * 3 / 4 - .microseconds(1))
            #expect(told >= wall)
            before = told
        }
    }
}
