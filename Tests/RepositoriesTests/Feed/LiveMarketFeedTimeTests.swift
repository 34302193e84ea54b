import DataSourceContracts
import TestSupport
import Testing
import UseCases

@testable import Domain
@testable import Repositories

@Suite("A live feed handles implausible times")
struct LiveMarketFeedTimeTests {
    private func trade(_ price: WireDecimal, ahead: Duration, on harness: FeedHarness) {
        let at = harness.now.advanced(by: ahead).microseconds
        harness.streams.streams.last?.send(
            .transactions([TransactionDTO("BTC_KRW", price: price, atMicroseconds: at)])
        )
        harness.tasks.settle()
    }

    @Test("the feed skips a trade of the far future, which would be newer than all later ones")
    func futureTrade() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            trade("999", ahead: .seconds(61), on: harness)
            #expect(harness.board.market("BTC_KRW")?.price == "100")
            #expect(harness.status.entriesSkipped == 1)
            trade("101", ahead: .seconds(59), on: harness)
            #expect(harness.board.market("BTC_KRW")?.price == "101")
        }
    }

    @Test("the feed uses the exchange's clock when it is ahead of the local one")
    func slowLocalClock() async throws {
        let harness = FeedHarness()
        let date = harness.now.advanced(by: .seconds(3_600)).microseconds / 1_000
        harness.tickers.put(
            TickerAllDTO(tickers: [TickerDTO("BTC", price: "100")], dateMilliseconds: date),
            quote: "KRW"
        )
        harness.tickers.put(
            TickerAllDTO(tickers: [TickerDTO("ETH", price: "1")], dateMilliseconds: date),
            quote: "BTC"
        )
        try await harness.drive {
            trade("101", ahead: .seconds(3_601), on: harness)
            #expect(harness.board.market("BTC_KRW")?.price == "101")
            trade("999", ahead: .seconds(3_700), on: harness)
            #expect(harness.board.market("BTC_KRW")?.price == "101")
        }
    }

    @Test("the feed loses no trade when the local clock is set back")
    func clockSetBack() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            harness.setBack(by: .seconds(600))
            trade("101", ahead: .zero, on: harness)
            #expect(harness.board.market("BTC_KRW")?.price == "101")
            #expect(harness.board.clockLead == .seconds(600))
            trade("999", ahead: .seconds(61), on: harness)
            #expect(harness.board.market("BTC_KRW")?.price == "101")
            #expect(harness.status.entriesSkipped == 1)
        }
    }

    @Test("the lead of the exchange's clock changes as the local clock is set")
    func lead() {
        var lead = ExchangeClockLead()
        #expect(lead.value(at: .noon(), uptime: .zero) == .zero)
        lead.note(.seconds(600), receivedAt: .noon(), uptime: .seconds(5))
        #expect(lead.value(at: .noon(1), uptime: .seconds(6)) == .seconds(600))
        #expect(lead.value(at: .noon(-299), uptime: .seconds(6)) == .seconds(900))
        #expect(lead.value(at: .noon(601), uptime: .seconds(6)) == .zero)
        #expect(lead.value(at: .noon(900), uptime: .seconds(6)) == .zero)
        lead.note(.seconds(-3), receivedAt: .noon(700), uptime: .seconds(10))
        #expect(lead.value(at: .noon(701), uptime: .seconds(11)) == .zero)
    }

    @Test("the feed tells a new day in time, although the local clock was set right just before")
    func dayAfterSetting() async throws {
        let midnight = SeoulTime.startOfDay(SeoulTime(.noon()).day + 1)
        let harness = FeedHarness(start: midnight.advanced(by: .seconds(-100)))
        try await harness.drive {
            harness.setBack(by: .seconds(600))
            harness.tasks.advance(by: .milliseconds(90_500))
            harness.setBack(by: .seconds(-600))
            harness.tasks.advance(by: .seconds(15))
            let days = harness.events.filter { event in
                if case .dayBegan = event.event { true } else { false }
            }
            #expect(days.count == 1)
            #expect(days.allSatisfy { (.seconds(100)...(.seconds(101))).contains($0.at) })
        }
    }

    @Test("the feed treats a listing dated more than a day ahead as current")
    func futureListing() async throws {
        let harness = FeedHarness()
        let date = harness.now.advanced(by: .seconds(90_000)).microseconds / 1_000
        harness.tickers.put(
            TickerAllDTO(tickers: [TickerDTO("BTC", price: "100")], dateMilliseconds: date),
            quote: "KRW"
        )
        try await harness.drive {
            trade("101", ahead: .seconds(2), on: harness)
            #expect(harness.board.market("BTC_KRW")?.price == "101")
        }
    }

    @Test("a listing that was slow to read is as old as its request")
    func slowListing() async throws {
        let harness = FeedHarness()
        let start = harness.now
        harness.tickers.hold()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(8))
            #expect(harness.status.lastActivityAt == nil)
            harness.tickers.letGo()
            harness.tasks.settle()
            #expect(harness.status.isComplete)
            #expect(harness.status.lastActivityAt == start)
        }
    }

    @Test("the feed sets no limit to the times of a recording")
    func recording() async throws {
        let harness = FeedHarness(kind: .replay)
        try await harness.drive {
            trade("105", ahead: .seconds(1_000_000), on: harness)
            #expect(harness.board.market("BTC_KRW")?.price == "105")
        }
    }

    @Test("the feed reports a response without a won market as malformed")
    func emptyListing() async throws {
        let harness = FeedHarness()
        harness.list([])
        try await harness.drive {
            #expect(harness.status.listingFailure?.code == .malformed)
            #expect(!harness.status.isComplete)
        }
    }
}
