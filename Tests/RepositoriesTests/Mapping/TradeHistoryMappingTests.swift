import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Past trades are mapped oldest first")
struct TradeHistoryMappingTests {
    private func trade(
        _ second: Int64,
        _ price: WireDecimal = "1",
        quantity: WireDecimal = "35.5",
        takerBought: Bool = true
    ) -> HistoricTradeDTO {
        HistoricTradeDTO(
            atMilliseconds: second * 1_000,
            takerBought: takerBought,
            quantity: quantity,
            price: price
        )
    }

    private func history(
        _ trades: [HistoricTradeDTO],
        skipped: Int = 0,
        notAfter limit: Timestamp? = nil
    ) -> (history: TradeHistory, skipped: Int) {
        var pages = TradePaging("XRP_KRW", after: nil, today: 0)
        pages.apply(TradeHistoryDTO(trades: trades, skippedCount: skipped), notAfter: limit)
        #expect(pages.next == nil, "API 1.x has one page")
        return (pages.history(requestedAt: .noon()), pages.skippedCount)
    }

    @Test("the mapping maps each number from its own field")
    func fields() {
        let (history, skipped) = history([trade(7, "1211", takerBought: false)])
        let row = TradeHistory.Row(
            at: Timestamp(milliseconds: 7_000),
            price: "1211",
            quantity: "35.5",
            side: .sell
        )
        #expect(
            history
                == TradeHistory(
                    market: "XRP_KRW",
                    rows: [row],
                    beginning: .firstTrade,
                    requestedAt: .noon()
                )
        )
        #expect(skipped == 0)
    }

    @Test("the mapping keeps the order of trades within a second, in either direction of the wire")
    func order() {
        let oldestFirst = [trade(1, "1"), trade(1, "2"), trade(2, "3"), trade(2, "4")]
        #expect(history(oldestFirst).history.rows.map(\.price) == ["1", "2", "3", "4"])
        #expect(history(oldestFirst.reversed()).history.rows.map(\.price) == ["1", "2", "3", "4"])
        let mixed = [trade(2, "3"), trade(1, "1"), trade(2, "4"), trade(1, "2"), trade(3, "5")]
        #expect(history(mixed).history.rows.map(\.price) == ["1", "2", "3", "4", "5"])
        let one = [trade(1, "2"), trade(1, "1")]
        #expect(history(one).history.rows.map(\.price) == ["2", "1"], "nothing says otherwise")
        #expect(history([]).history.rows.isEmpty)
    }

    @Test("a history is complete if it has fewer trades than requested, unreadable ones included")
    func completeness() {
        let full = (1...100).map { trade($0) }
        #expect(history(full).history.beginning == .asRequested)
        #expect(history(Array(full.dropLast())).history.beginning == .firstTrade)
        #expect(history(Array(full.dropLast()), skipped: 1).history.beginning == .asRequested)
    }

    @Test("the mapping skips and counts implausible trades")
    func badTrades() {
        let huge = WireDecimal(mantissa: 1, scale: -30)
        let bad = [
            trade(1, "0"), trade(1, "-1"), trade(1, huge), trade(1, quantity: "-1"),
            trade(1, quantity: huge),
        ]
        let (history, skipped) = history(bad + [trade(2)], skipped: 2)
        #expect(history.rows.map(\.at.second) == [2])
        #expect(skipped == bad.count + 2)
    }

    @Test("the mapping skips and counts trades after the latest plausible time")
    func future() {
        let limit = Timestamp(microseconds: 2_999_999)
        let (history, skipped) = history([trade(1), trade(2), trade(3)], notAfter: limit)
        #expect(history.rows.map(\.at.second) == [1, 2])
        #expect(skipped == 1)
    }
}
