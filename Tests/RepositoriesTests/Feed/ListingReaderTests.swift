import DataSourceContracts
import TestSupport
import Testing

@testable import Repositories

@Suite("Reader of listings")
struct ListingReaderTests {
    @Test(
        "a probe of API 2.x asks for the first market that has a code",
        arguments: ["KRW-A.B", "KRW-가", "KRW-X-Y", "KRWBTC", "USDT-BTC", "KRW-"]
    )
    func probe(code: String) async throws {
        let log = AccessLog(clock: SteppedTasks().clock)
        let names = InMemoryMarketReferenceSource(log: log)
        let reader = ListingReader.v2(names, InMemoryMarketTickerSource(log: log))
        let rows = [code, "KRW-BTC"].map {
            MarketNameDTO(market: $0, korean: "", english: "", isWarned: nil)
        }
        names.put(MarketNamesDTO(markets: rows))
        try await reader.check()
        #expect(log.requests == [.marketNames, .tickers(markets: ["KRW-BTC"])])
        names.put(MarketNamesDTO(markets: [rows[0]]))
        await #expect(throws: DataSourceError.self) { try await reader.check() }
    }
}
