import Domain
import TestSupport
import Testing

@testable import ViewStates

@Suite("The facts of rows that only wide lists show")
struct WideRowCacheTests {
    private static let btc: MarketID = "BTC_KRW"
    private static let xrp: MarketID = "XRP_KRW"

    private let cache = WideRowCache()

    /// A live exchange whose busiest market has high and low.
    private static func sample() -> SampleBoard {
        var sample = SampleBoard.live()
        var entry = ListingEntry.sample(
            btc,
            price: "143210000",
            tradeValue: "98123456789.5123",
            "-1.34"
        )
        (entry.highToday, entry.lowToday) = ("145880000", "142900000")
        let ether = ListingEntry.sample(
            "ETH_KRW",
            price: "4512000",
            tradeValue: "31234567890",
            "0.21"
        )
        let ripple = ListingEntry.sample(xrp, price: "743.5", tradeValue: "999999.99", "0")
        sample.list(.krw, [entry, ether, ripple])
        return sample
    }

    private func rows(
        _ sample: inout SampleBoard,
        of markets: [MarketID] = [btc, xrp],
        _ query: WideRowQuery = WideRowQuery(beside: .hours24, hasDay: true),
        use: (Set<ShownPeriod>) -> Void = { _ in }
    ) -> WideRows {
        cache.rows(of: markets, in: sample.snapshot(), query, use: use)
    }

    private func row(_ rows: WideRows, _ market: MarketID) -> WideRowViewState? {
        rows[
            MarketRowViewState(
                market: market.name,
                symbol: market.symbol,
                quote: market.quote.rawValue,
                name: .init(ko: nil, en: nil),
                changePeriod: "24H",
                marks: MarksViewState(investmentWarning: nil, alerts: [], state: .trading),
                spokenText: ""
            )
        ]
    }

    @Test(
        "two of 24 hours, one hour and the day join the chosen period",
        arguments: zip(
            ChangePeriod.allCases,
            [
                [.hour1, .midnight], [.hours24, .hour1], [.hours24, .hour1],
                [.hours24, .midnight], [.hours24, .hour1],
            ] as [[ChangePeriod]]
        )
    )
    func periods(chosen: ChangePeriod, others: [ChangePeriod]) {
        #expect(WideRowQuery(beside: chosen, hasDay: false).periods == others)
    }

    @Test("a row has the changes, high and low, and the prices of the day")
    func facts() throws {
        var sample = Self.sample()
        sample.apply(
            .ticker(
                TickerFrame(
                    Self.btc,
                    .hour1,
                    at: sample.now,
                    open: "142000000",
                    close: "143210000"
                )
            )
        )
        sample.closes(of: Self.btc, [(.seconds(7_200), "140000000"), (.seconds(60), "143210000")])
        let all = rows(&sample, of: [Self.btc, Self.xrp, "NONE_KRW"])
        let bitcoin = try #require(row(all, Self.btc))
        #expect(bitcoin.changes.map(\.period) == [.hour1, .midnight])
        #expect(bitcoin.changes.map(\.rateText) == ["+0.85%", "0.00%"])
        #expect(bitcoin.changes.map(\.direction) == [.up, .flat])
        #expect(bitcoin.highText == "145,880,000" && bitcoin.lowText == "142,900,000")
        #expect(bitcoin.line?.compactMap(\.self) == ["140000000", "140000000", "143210000"])
        let ripple = try #require(row(all, Self.xrp))
        #expect(ripple.changes[0].rateText == nil)
        #expect(ripple.highText == nil && ripple.line == nil)
        #expect(row(all, "NONE_KRW") == nil)
    }

    @Test("a row is presented again if its market changed, at most once a second")
    func changes() {
        var sample = Self.sample()
        _ = rows(&sample)
        #expect(cache.presentedCount == 2)
        sample.wait(.milliseconds(900))
        sample.trade(Self.btc, at: "143300000")
        let soon = rows(&sample)
        #expect(cache.presentedCount == 2)
        #expect(row(soon, Self.btc)?.changes[1].rateText == "0.00%")
        sample.wait(.milliseconds(100))
        #expect(row(rows(&sample), Self.btc)?.changes[1].rateText == "+0.06%")
        #expect(cache.presentedCount == 3)
        // Nothing changed: windows move every ten seconds.
        sample.wait(.milliseconds(8_999))
        _ = rows(&sample)
        #expect(cache.presentedCount == 3)
        sample.wait(.milliseconds(2))
        _ = rows(&sample)
        #expect(cache.presentedCount == 4)
    }

    @Test("a new high is shown at once")
    func newHigh() {
        var sample = Self.sample()
        _ = rows(&sample)
        sample.wait(.milliseconds(100))
        sample.trade(Self.btc, at: "146000000")
        #expect(row(rows(&sample), Self.btc)?.highText == "146,000,000")
        #expect(cache.presentedCount == 3)
    }

    @Test("another list, other periods and every ten seconds say which closes are needed")
    func interests() {
        var sample = Self.sample()
        var used: [Set<ShownPeriod>] = []
        _ = rows(&sample) { used.append($0) }
        let first: Set<ShownPeriod> = [
            .column(.hour1, Self.btc), .column(.hour1, Self.xrp), .line(Self.btc), .line(Self.xrp),
        ]
        #expect(used == [first])
        sample.wait(.seconds(9))
        _ = rows(&sample) { used.append($0) }
        #expect(used.count == 1)
        sample.wait(.seconds(1))
        _ = rows(&sample) { used.append($0) }
        #expect(used == [first, first])
        _ = rows(&sample, of: [Self.btc]) { used.append($0) }
        #expect(used.last == [.column(.hour1, Self.btc), .line(Self.btc)])
        let narrow = WideRowQuery(beside: .hour1, hasDay: false)
        let rates = rows(&sample, of: [Self.btc], narrow) { used.append($0) }
        #expect(used.last == [.column(.hours24, Self.btc)] && used.count == 4)
        #expect(row(rates, Self.btc)?.highText == nil)
    }
}
