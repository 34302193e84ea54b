import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("A ticker response is mapped to a listing; invalid entries are counted")
struct ListingMappingTests {
    private static let date: Int64 = 1_795_147_391_151

    private func listing(
        _ answer: TickerAllDTO,
        _ quote: Quote = .krw
    ) -> (listing: Listing, skipped: Int) {
        ListingMapping.listing(answer, quote: quote, receivedAt: .noon())
    }

    private func full(_ symbol: String) -> TickerDTO {
        var ticker = TickerDTO(symbol: symbol)
        ticker.openingPrice = "1"
        ticker.closingPrice = "1210"
        ticker.minPrice = "2"
        ticker.maxPrice = "3"
        ticker.unitsTraded = "81234.5511"
        ticker.accTradeValue = "4"
        ticker.prevClosingPrice = "1203"
        ticker.unitsTraded24H = "120000.01"
        ticker.accTradeValue24H = "46947568969.878487505202689"
        ticker.fluctate24H = "-8"
        ticker.fluctateRate24H = "-0.67"
        return ticker
    }

    @Test("the mapping maps each number exactly from its own field")
    func fields() throws {
        let answer = TickerAllDTO(tickers: [full("XRP")], dateMilliseconds: Self.date)
        let (listing, skipped) = listing(answer)
        var expected = ListingEntry(
            "XRP_KRW",
            price: "1210",
            previousClose: "1203",
            volumeToday: "81234.5511",
            volume24h: "120000.01",
            tradeValue24h: "46947568969.878487505202689",
            changeAmount24h: "-8",
            changeRate24h: "-0.67"
        )
        expected.openToday = "1"
        expected.lowToday = "2"
        expected.highToday = "3"
        expected.tradeValueToday = "4"
        #expect(listing.entries == [expected])
        #expect(listing.quote == .krw)
        #expect(listing.at == Timestamp(milliseconds: Self.date))
        #expect(listing.suspended.isEmpty)
        #expect(listing.unreadable.isEmpty)
        #expect(skipped == 0)
    }

    @Test("the mapping ignores the rounded amount of a bitcoin market")
    func bitcoinMarket() throws {
        let (listing, _) = listing(TickerAllDTO(tickers: [full("ETH")]), .btc)
        let entry = try #require(listing.entries.first)
        #expect(entry.market == "ETH_BTC")
        #expect(entry.changeAmount24h == nil)
        #expect(entry.changeRate24h == "-0.67")
    }

    @Test("the mapping maps a zero price and absent fields to nil")
    func unknown() throws {
        var quiet = TickerDTO(symbol: "BAL")
        quiet.closingPrice = "0.00063027"
        quiet.prevClosingPrice = "0"
        quiet.unitsTraded24H = "0"
        quiet.fluctateRate24H = "0"
        var unpriced = TickerDTO(symbol: "NEW")
        unpriced.closingPrice = "-0"
        let (listing, skipped) = listing(TickerAllDTO(tickers: [quiet, unpriced]), .btc)
        let expected = ListingEntry(
            "BAL_BTC",
            price: "0.00063027",
            volume24h: .zero,
            changeRate24h: .zero
        )
        #expect(listing.entries == [expected, ListingEntry("NEW_BTC")])
        #expect(skipped == 0)
    }

    @Test("the mapping maps a negative volume or turnover to nil")
    func negative() throws {
        var odd = TickerDTO(symbol: "ODD")
        odd.closingPrice = "7"
        odd.unitsTraded = "-1"
        odd.unitsTraded24H = "-2"
        odd.accTradeValue24H = "-5"
        let (listing, skipped) = listing(TickerAllDTO(tickers: [odd]))
        #expect(listing.entries == [ListingEntry("ODD_KRW", price: "7")])
        #expect(skipped == 0)
    }

    @Test("the mapping lists suspended codes, and counts invalid ones")
    func suspended() {
        let answer = TickerAllDTO(tickers: [full("XRP")], emptySymbols: ["OLD", "not a code"])
        let (listing, skipped) = listing(answer)
        #expect(listing.suspended == ["OLD_KRW"])
        #expect(skipped == 1)
    }

    @Test("the mapping skips a bad entry, keeps its market listed, and serves the others")
    func badEntries() {
        var huge = full("HUGE")
        huge.accTradeValue24H = WireDecimal(mantissa: 1, scale: -30)
        let answer = TickerAllDTO(
            tickers: [full("XRP"), full("lower"), huge, full("BTC")],
            skipped: [
                SkippedEntryDTO(key: "ODD", reason: "closing_price"),
                SkippedEntryDTO(key: "", reason: "key"),
            ]
        )
        let (listing, skipped) = listing(answer)
        #expect(listing.entries.map(\.market) == ["XRP_KRW", "BTC_KRW"])
        #expect(Set(listing.unreadable) == ["ODD_KRW", "HUGE_KRW"])
        #expect(skipped == 4)
    }

    @Test(
        "the receive time replaces an absent or implausible time of the exchange",
        arguments: [nil, 0, -1, 946_684_799_999, 4_102_444_800_000, .max, .min] as [Int64?]
    )
    func rubbishDates(date: Int64?) {
        let (listing, _) = listing(TickerAllDTO(tickers: [full("XRP")], dateMilliseconds: date))
        #expect(listing.at == .noon())
    }

    @Test(
        "years-old times of recordings are accepted",
        arguments: [946_684_800_000, 1_622_590_000_000] as [Int64]
    )
    func oldDates(date: Int64) {
        let (listing, _) = listing(TickerAllDTO(dateMilliseconds: date))
        #expect(listing.at == Timestamp(milliseconds: date))
    }
}
