import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("A live feed handles implausible times")
struct LiveMarketFeedTimeTests {
    private func trade(_ price: WireDecimal, ahead: Duration, on bench: FeedHarness) {
        let at = bench.now.advanced(by: ahead).microseconds
        bench.streams.streams.last?.send(
            .transactions([TransactionDTO("BTC_KRW", price: price, atMicroseconds: at)])
        )
        bench.tasks.settle()
    }

    @Test("skips a trade of the far future, which would be newer than all later ones")
    func futureTrade() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            trade("999", ahead: .seconds(61), on: bench)
            #expect(bench.board.market("BTC_KRW")?.price == "100")
            #expect(bench.status.entriesSkipped == 1)
            trade("101", ahead: .seconds(59), on: bench)
            #expect(bench.board.market("BTC_KRW")?.price == "101")
        }
    }

    @Test("uses the exchange's clock when it is ahead of the local one")
    func slowLocalClock() async throws {
        let bench = FeedHarness()
        let date = bench.now.advanced(by: .seconds(3_600)).microseconds / 1_000
        bench.tickers.put(
            TickerAllDTO(tickers: [TickerDTO("BTC", price: "100")], dateMilliseconds: date),
            quote: "KRW"
        )
        bench.tickers.put(
            TickerAllDTO(tickers: [TickerDTO("ETH", price: "1")], dateMilliseconds: date),
            quote: "BTC"
        )
        try await bench.drive {
            trade("101", ahead: .seconds(3_601), on: bench)
            #expect(bench.board.market("BTC_KRW")?.price == "101")
            trade("999", ahead: .seconds(3_700), on: bench)
            #expect(bench.board.market("BTC_KRW")?.price == "101")
        }
    }

    @Test("treats a listing dated more than a day ahead as current")
    func futureListing() async throws {
        let bench = FeedHarness()
        let date = bench.now.advanced(by: .seconds(90_000)).microseconds / 1_000
        bench.tickers.put(
            TickerAllDTO(tickers: [TickerDTO("BTC", price: "100")], dateMilliseconds: date),
            quote: "KRW"
        )
        try await bench.drive {
            trade("101", ahead: .seconds(2), on: bench)
            #expect(bench.board.market("BTC_KRW")?.price == "101")
        }
    }

    @Test("sets no limit to the times of a recording")
    func recording() async throws {
        let bench = FeedHarness(kind: .replay)
        try await bench.drive {
            trade("105", ahead: .seconds(1_000_000), on: bench)
            #expect(bench.board.market("BTC_KRW")?.price == "105")
        }
    }

    @Test("reports a response without a won market as malformed")
    func emptyListing() async throws {
        let bench = FeedHarness()
        bench.list([])
        try await bench.drive {
            #expect(bench.status.listingFailure?.code == .malformed)
            #expect(!bench.status.isComplete)
        }
    }
}
