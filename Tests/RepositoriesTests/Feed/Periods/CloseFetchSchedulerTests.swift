import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Closes are requested in the order of need, within the rate, and never twice")
struct CloseFetchSchedulerTests {
    private static let markets: [MarketID] = (0..<480).compactMap {
        MarketID(symbol: "C\($0)", quote: .krw)
    }

    private static func need(
        _ market: MarketID,
        _ reason: CloseNeed.Reason = .base,
        _ period: ChangePeriod = .minutes30
    ) -> CloseNeed {
        CloseNeed(market: market, period: period, moment: .noon(0), reason: reason)
    }

    /// Answers all fetches at once and returns when each was started.
    private static func run(
        _ scheduler: inout CloseFetchScheduler,
        from start: Duration,
        for duration: Duration,
        latency: Duration = .milliseconds(50)
    ) -> [(at: Duration, fetch: CloseFetchScheduler.Fetch)] {
        var started: [(at: Duration, fetch: CloseFetchScheduler.Fetch)] = []
        var inFlight: [(until: Duration, fetch: CloseFetchScheduler.Fetch)] = []
        var now = start
        while now < start + duration {
            for done in inFlight where done.until <= now {
                scheduler.succeeded(done.fetch, at: now)
            }
            inFlight.removeAll { $0.until <= now }
            for fetch in scheduler.next(at: now).fetches {
                started.append((now, fetch))
                inFlight.append((now + latency, fetch))
            }
            #expect(inFlight.count <= CloseFetchScheduler.fetchesMax)
            now += .milliseconds(10)
        }
        return started
    }

    @Test("all markets are read once, at most 100 a second", arguments: [true, false])
    func rate(isWhole: Bool) {
        var scheduler = CloseFetchScheduler()
        scheduler.apply(Self.markets.map { Self.need($0) }, isWhole: isWhole, at: .zero)
        let started = Self.run(&scheduler, from: .zero, for: .seconds(8))
        #expect(started.map(\.fetch.market) == Self.markets)
        #expect((started.last?.at ?? .zero) < .milliseconds(5_200))
        #expect(Self.mostInASecond(started.map(\.at)) <= CloseFetchScheduler.rates.urgent)
    }

    private static func mostInASecond(_ times: [Duration]) -> Int {
        times.map { first in times.count { $0 >= first && $0 < first + .seconds(1) } }.max() ?? 0
    }

    @Test("what a late timer catches up counts in the rate", arguments: [10, 50, 200])
    func lateTimers(milliseconds: Int) {
        var scheduler = CloseFetchScheduler()
        var times: [Duration] = []
        scheduler.apply(Self.markets.map { Self.need($0) }, isWhole: false, at: .zero)
        for step in 0..<(4_000 / milliseconds) {
            let now = Duration.milliseconds(step * milliseconds)
            let fetches = scheduler.next(at: now).fetches
            times += fetches.map { _ in now }
            for fetch in fetches { scheduler.succeeded(fetch, at: now) }
        }
        #expect(!times.isEmpty && Self.mostInASecond(times) <= CloseFetchScheduler.rates.urgent)
    }

    @Test("50 a second once all bases are known")
    func steadyRate() {
        var scheduler = CloseFetchScheduler()
        scheduler.apply(Self.markets.map { Self.need($0, .reach) }, isWhole: false, at: .zero)
        let started = Self.run(&scheduler, from: .zero, for: .seconds(4))
        #expect((190...200).contains(started.count))
        #expect(Self.mostInASecond(started.map(\.at)) <= CloseFetchScheduler.rates.steady)
    }

    @Test("unknown bases go before those that become unknown soon, then those of minutes")
    func order() {
        var scheduler = CloseFetchScheduler()
        let needs = [
            Self.need(Self.markets[0], .minute), Self.need(Self.markets[1], .reach),
            Self.need(Self.markets[2], .base), Self.need(Self.markets[3], .base),
        ]
        scheduler.apply(needs, isWhole: false, at: .zero)
        let requests = Self.run(&scheduler, from: .zero, for: .seconds(1)).map(\.fetch.request)
        #expect(
            requests == [
                .minute(Self.markets[2], .minutes30), .minute(Self.markets[3], .minutes30),
                .tenMinutes(Self.markets[1]), .minute(Self.markets[0], .minutes30),
            ]
        )
    }

    @Test("lines are read last, at most ten a second, and not again within ten minutes")
    func lines() {
        var scheduler = CloseFetchScheduler()
        let lines = Self.markets[1...].map { Self.need($0, .line, .hours24) }
        let needs = lines + [Self.need(Self.markets[0], .minute)]
        scheduler.apply(needs, isWhole: false, at: .zero)
        let started = Self.run(&scheduler, from: .zero, for: .seconds(3))
        #expect(started.first?.fetch.request == .minute(Self.markets[0], .minutes30))
        #expect(started.dropFirst().first?.fetch.request == .tenMinutes(Self.markets[1]))
        #expect((28...31).contains(started.count))
        #expect(Self.mostInASecond(started.map(\.at)) <= 11)
        // Answers that did not help.
        scheduler.apply(Array(lines.prefix(20)), isWhole: false, at: .seconds(3))
        #expect(Self.run(&scheduler, from: .seconds(3), for: .seconds(590)).isEmpty)
        #expect(!Self.run(&scheduler, from: .seconds(593), for: .seconds(20)).isEmpty)
    }

    @Test("an answer that did not help is requested again after ten seconds, then less often")
    func unhelpful() {
        var scheduler = CloseFetchScheduler()
        var times: [Duration] = []
        for second in 0..<200 {
            scheduler.apply([Self.need(Self.markets[0])], isWhole: true, at: .seconds(second))
            times += Self.run(&scheduler, from: .seconds(second), for: .seconds(1)).map(\.at)
        }
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(gaps.count == 4)
        #expect(zip(gaps.dropFirst(), gaps).allSatisfy { $0 > $1 * 1.5 })
        #expect(gaps.first ?? .zero >= .seconds(10))
    }

    @Test(
        "a base that is not known to the minute is read once a minute, or in ten of long windows",
        arguments: zip([ChangePeriod.minutes30, .hour1, .hours12, .hours24], [22, 22, 3, 3])
    )
    func minutes(period: ChangePeriod, expected: Int) {
        var scheduler = CloseFetchScheduler()
        var moments: [Timestamp] = []
        for second in 0..<1_300 {
            let now = Duration.seconds(second)
            // The board lacks the base until it is read.
            let moment = Timestamp.noon(second / 60 * 60)
            guard moments.last != moment else { continue }
            let need = CloseNeed(
                market: Self.markets[0],
                period: period,
                moment: moment,
                reason: .minute
            )
            scheduler.apply([need], isWhole: false, at: now)
            moments += Self.run(&scheduler, from: now, for: .seconds(1)).map(\.fetch.moment)
        }
        #expect(moments.count == expected && Set(moments).count == expected)
    }

    @Test("an outage of one generation does not delay the other one")
    func generations() throws {
        var scheduler = CloseFetchScheduler()
        let needs = Self.markets.prefix(1).map { Self.need($0) }
        scheduler.apply(needs, isWhole: false, at: .zero)
        let first = try #require(scheduler.next(at: .zero).fetches.first)
        #expect(first.request == .minute(Self.markets[0], .minutes30))
        scheduler.failed(first, isOutage: true, pause: .seconds(60), at: .zero, random: 0)
        scheduler.apply(needs, isWhole: false, at: .seconds(1))
        #expect(scheduler.next(at: .seconds(1)).fetches.isEmpty)
        scheduler.apply(needs, isWhole: true, at: .seconds(2))
        #expect(
            scheduler.next(at: .seconds(2)).fetches.map(\.request) == [.minutes(Self.markets[0])]
        )
    }

    @Test("a refused market waits a minute, an outage delays all markets")
    func failures() throws {
        var scheduler = CloseFetchScheduler()
        let needs = Self.markets.prefix(2).map { Self.need($0) }
        scheduler.apply(needs, isWhole: true, at: .zero)
        let first = try #require(scheduler.next(at: .zero).fetches.first)
        scheduler.failed(first, isOutage: false, pause: .zero, at: .zero, random: 0)
        let second = try #require(scheduler.next(at: .milliseconds(20)).fetches.first)
        #expect(second.market == Self.markets[1])
        scheduler.failed(second, isOutage: true, pause: .seconds(3), at: .seconds(1), random: 0)
        #expect(scheduler.next(at: .milliseconds(3_900)).fetches.isEmpty)
        #expect(scheduler.next(at: .seconds(4)).fetches.map(\.market) == [Self.markets[1]])
        scheduler.apply(needs, isWhole: true, at: .seconds(59))
        #expect(scheduler.next(at: .seconds(59)).fetches.isEmpty)
        #expect(scheduler.next(at: .seconds(60)).fetches.map(\.market) == [Self.markets[0]])
    }
}
