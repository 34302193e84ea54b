import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("Candles are read again after their bucket closed", .tags(.threads))
struct LiveDetailFeedCorrectionTests {
    private func harness(
        seed: UInt64,
        start: Timestamp = .noon(),
        lead: Duration = .zero
    ) -> DetailFeedHarness {
        let source = RandomSource(seed: seed)
        return DetailFeedHarness(start: start, lead: lead, random: { source.next() })
    }

    private final class RandomSource: Sendable {
        private let generator: Mutex<SeededGenerator>
        init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }
        func next() -> UInt64 { generator.withLock { $0.next() } }
    }

    @Test(
        "the feed reads 2 to 7 s after the close for a screen",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func window(seed: UInt64) async throws {
        let harness = harness(seed: seed, start: .noon(Int(seed) * 7))
        harness.put(candles: "BTC_KRW", "1m")
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.minute1))
            #expect(harness.candleTimes == [.zero])
            harness.tasks.advance(by: .seconds(600))
            #expect(harness.candleTimes[1] == CandleCorrection.confirmation)
            let delays = harness.candleTimes.dropFirst(2).map { time in
                (time + .seconds(Int(seed) * 7)).microsecondsOfMinute
            }
            #expect(delays.count == 10)
            #expect(delays.allSatisfy { (2_000_000...7_000_000).contains($0) })
            #expect(Set(delays).count > 5, "at random")
            harness.leave(lease)
        }
    }

    @Test("a first response is confirmed by a second one, once")
    func confirmation() async throws {
        let harness = harness(seed: 9)
        harness.put(candles: "BTC_KRW", "24h")
        try await harness.drive {
            let glance: Set<DetailInterest> = [
                DetailInterest(market: "BTC_KRW", facet: .candles(.day1))
            ]
            #expect(harness.interests.touch(glance, now: harness.now))
            harness.tasks.advance(by: .seconds(50))
            #expect(harness.candleTimes.count == 2)
            let waits = zip(harness.candleTimes, harness.candleTimes.dropFirst()).map { $1 - $0 }
            #expect(waits == [CandleCorrection.confirmation])
        }
    }

    @Test("the feed uses the exchange's clock")
    func exchangeClock() async throws {
        let harness = harness(seed: 3, lead: .seconds(30))
        harness.put(candles: "BTC_KRW", "1m")
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.minute1))
            harness.tasks.advance(by: .seconds(300))
            let delays = harness.candleTimes.dropFirst(2).map {
                ($0 + .seconds(30)).microsecondsOfMinute
            }
            #expect(delays.count == 5)
            #expect(delays.allSatisfy { (2_000_000...7_000_000).contains($0) })
            harness.leave(lease)
        }
    }

    @Test("the feed reads anew when the clock was set back, and applies trades again")
    func clockSetBack() async throws {
        let harness = harness(seed: 4, lead: .seconds(900))
        harness.put(candles: "BTC_KRW", "1m")
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.minute1), .trades)
            harness.tasks.advance(by: .seconds(30))
            let before = harness.candleTimes.count
            harness.setLead(.zero)
            harness.tasks.advance(by: .seconds(2))
            #expect(harness.candleTimes.count == before + 1)
            harness.tasks.advance(by: .seconds(60))
            #expect(harness.candleTimes.count > before + 2, "corrections go on")
            let series = try #require(harness.board.details["BTC_KRW"]?.candles[.minute1])
            let finalUntil = try #require(series.finalUntil)
            #expect(series.isLoaded && finalUntil <= harness.now)
            harness.leave(lease)
        }
    }

    @Test("the feed does not use responses to requests before the clock was set back")
    func clockSetBackMeanwhile() async throws {
        let harness = harness(seed: 4, lead: .seconds(900))
        harness.put(candles: "BTC_KRW", "1m")
        harness.candles.hold()
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.minute1))
            harness.setLead(.zero)
            harness.tasks.advance(by: .seconds(2))
            harness.candles.letGo()
            harness.tasks.settle()
            let series = harness.board.details["BTC_KRW"]?.candles[.minute1]
            #expect(series?.finalUntil ?? harness.now <= harness.now)
            harness.leave(lease)
        }
    }

    @Test("the feed reads again after a response within 2 s of the close")
    func early() async throws {
        let harness = harness(seed: 5, start: .noon(1))
        harness.put(candles: "BTC_KRW", "1m")
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.minute1))
            harness.tasks.advance(by: .seconds(6))
            #expect(harness.candleTimes.count == 2)
            harness.leave(lease)
        }
    }

    @Test("the feed reads days for weeks and months after midnight in Seoul, once for all")
    func days() async throws {
        let start = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 23, minute: 50)
        let harness = harness(seed: 7, start: start)
        harness.put(candles: "BTC_KRW", "24h")
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.week1), .candles(.month1))
            harness.tasks.advance(by: .seconds(1_200))
            let times = harness.candleTimes("BTC_KRW", "24h")
            #expect(times.count == 3, "the first, its confirmation, and the one after midnight")
            #expect(
                times.last.map { ($0 - .seconds(600)).microsecondsOfMinute / 1_000_000 } ?? 0 >= 2
            )
            harness.leave(lease)
        }
    }

    @Test("after a loss the newest candles are read, and all of them if the board lacks more")
    func reach() async throws {
        let harness = harness(seed: 19)
        harness.put(candles: "BTC_KRW", "24h")
        let interest = DetailInterest(market: "BTC_KRW", facet: .candles(.day1))
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.day1))
            harness.tasks.advance(by: .seconds(10))
            #expect(harness.candles.reaches == [.whole, .whole], "with its confirmation")
            harness.lack([interest])
            helps(harness)
            #expect(harness.candles.reaches.dropFirst(2) == [.newest, .newest])
            harness.lack([interest])
            harness.tasks.advance(by: .seconds(1))
            helps(harness)
            #expect(harness.candles.reaches.dropFirst(4) == [.newest, .whole, .whole])
            let other = harness.look("BTC_KRW", .candles(.week1))
            harness.tasks.advance(by: .seconds(10))
            #expect(harness.candles.reaches.dropFirst(7) == [.whole, .whole], "of other candles")
            harness.feed.reload()
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.candles.reaches.dropFirst(9) == [.whole])
            harness.leave(lease)
            harness.leave(other)
        }
    }

    @Test("all candles are read after a loss until they were read twice without unreadable rows")
    func unconfirmed() async throws {
        let harness = harness(seed: 20)
        harness.put(candles: "BTC_KRW", "24h")
        let interest = DetailInterest(market: "BTC_KRW", facet: .candles(.day1))
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.day1))
            harness.lack([interest])
            helps(harness)
            #expect(harness.candles.reaches == [.whole, .whole, .whole], "before its confirmation")
            harness.lack([interest])
            helps(harness)
            #expect(harness.candles.reaches.dropFirst(3) == [.newest, .newest])
            harness.leave(lease)
            harness.putUnreadable(candles: "BTC_KRW", "24h")
            let again = harness.look("BTC_KRW", .candles(.day1))
            harness.tasks.advance(by: .seconds(10))
            harness.lack([interest])
            helps(harness)
            #expect(harness.candles.reaches.dropFirst(5).allSatisfy { $0 == .whole })
            harness.leave(again)
        }
    }

    /// Lets the next response give the board what it lacks.
    private func helps(_ harness: DetailFeedHarness) {
        harness.candles.hold()
        harness.tasks.advance(by: .seconds(1))
        harness.lack(nil)
        harness.candles.letGo()
        harness.tasks.advance(by: .seconds(10))
    }

    @Test("the feed sends at most 2 requests a second, screens first")
    func budget() async throws {
        let harness = harness(seed: 11)
        let shown = (0..<6).compactMap { MarketID(symbol: "S\($0)", quote: .krw) }
        let glanced = (0..<40).compactMap { MarketID(symbol: "G\($0)", quote: .krw) }
        for market in shown + glanced { harness.put(candles: market.name, "1m") }
        try await harness.drive {
            let leases = shown.map { harness.look($0, .candles(.minute1)) }
            let glances = Set(
                glanced.map { DetailInterest(market: $0, facet: .candles(.minute1)) }
            )
            #expect(harness.interests.touch(glances, now: harness.now))
            harness.tasks.advance(by: .seconds(50))
            harness.log.clear()
            #expect(harness.interests.touch(glances, now: harness.now))
            harness.tasks.advance(by: .seconds(59))
            #expect(harness.candleTimes.mostInOneSecond <= 2)
            for market in shown {
                let times = harness.candleTimes(market.name, "1m")
                #expect(times.count == 1)
                #expect(times.allSatisfy { (.seconds(62)...(.seconds(67))).contains($0) })
            }
            for market in glanced {
                let times = harness.candleTimes(market.name, "1m")
                #expect(times.count == 1)
                #expect(times.allSatisfy { $0 >= .seconds(67) })
            }
            for lease in leases { harness.leave(lease) }
        }
    }

    @Test("the feed serves all series when corrections exceed the rate")
    func overload() async throws {
        let harness = harness(seed: 13)
        let markets = (0..<100).compactMap { MarketID(symbol: "S\($0)", quote: .krw) }
        for market in markets { harness.put(candles: market.name, "1m") }
        try await harness.drive {
            let leases = markets.map { harness.look($0, .candles(.minute1)) }
            harness.tasks.advance(by: .seconds(30))
            harness.log.clear()
            harness.tasks.advance(by: .seconds(150))
            #expect(harness.candleTimes.mostInOneSecond <= 2)
            let counts = markets.map { harness.candleTimes($0.name, "1m").count }
            #expect(counts.allSatisfy { $0 >= 2 }, "about 240 calls for 100 series")
            for lease in leases { harness.leave(lease) }
        }
    }

    @Test("the feed keeps the rate while corrections fail")
    func failing() async throws {
        let harness = harness(seed: 17)
        let markets = (0..<30).compactMap { MarketID(symbol: "S\($0)", quote: .krw) }
        for market in markets { harness.put(candles: market.name, "1m") }
        try await harness.drive {
            let leases = markets.map { harness.look($0, .candles(.minute1)) }
            harness.tasks.advance(by: .seconds(30))
            for market in markets {
                harness.candles.fail(
                    DataSourceError(.timedOut, "candlestick"),
                    symbol: market.name,
                    interval: "1m"
                )
            }
            harness.log.clear()
            harness.tasks.advance(by: .seconds(120))
            #expect(harness.candleTimes.count > 60)
            #expect(harness.candleTimes.mostInOneSecond <= 2)
            for lease in leases { harness.leave(lease) }
        }
    }
}

extension Duration {
    /// The microseconds since the last full minute.
    fileprivate var microsecondsOfMinute: Int64 { wholeMicroseconds % 60_000_000 }
}
