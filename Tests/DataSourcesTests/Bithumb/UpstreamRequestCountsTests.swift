import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesBithumb

@Suite("Requests to the exchange are counted by category and outcome")
struct UpstreamRequestCountsTests {
    @Test("each category and outcome has its own count, in a fixed order")
    func counts() {
        let requests = UpstreamRequestCounts()
        #expect(requests.entries.isEmpty)
        requests.count(.ticker, .status(503))
        requests.count(.ticker, .status(200))
        requests.count(.ticker, .status(200))
        requests.count(.candles, .failure(.timedOut))
        requests.count(.candles, .failure(.nameNotResolved))
        requests.count(.candles, .failure(.cannotConnect))
        let lines = requests.entries.map { "\($0.category) \($0.status) \($0.count)" }
        #expect(
            lines == [
                "candles timed_out 1", "candles unreachable 2", "ticker 200 2", "ticker 503 1",
            ]
        )
    }

    @Test("a cancelled request does not count")
    func cancelled() {
        let requests = UpstreamRequestCounts()
        requests.count(.ticker, .failure(.cancelled))
        #expect(requests.entries.isEmpty)
    }

    @Test("outcomes beyond the bound count as other")
    func bounded() {
        let requests = UpstreamRequestCounts()
        for status in 100..<600 { requests.count(.other, .status(status)) }
        let entries = requests.entries
        #expect(entries.count == UpstreamRequestCounts.outcomesMax + 1)
        #expect(entries.reduce(0) { $0 + $1.count } == 500)
        let others = entries.first { $0.status == "other" }?.count
        #expect(others == UInt64(500 - UpstreamRequestCounts.outcomesMax))
    }
}
