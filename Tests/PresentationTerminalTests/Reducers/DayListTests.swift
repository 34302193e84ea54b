import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("The list of days shows the change from the previous day")
struct DayListTests {
    private func day(_ month: Int, _ day: Int) -> Timestamp {
        SeoulTime.timestamp(year: 2026, month: month, day: day)
    }

    @Test("Days are newest first; days without trades are skipped")
    func changes() {
        func candle(_ number: Int, close: Int64) -> ChartViewState.Candle {
            ChartViewState.Candle(
                openTime: day(11, number),
                open: FixedDecimal(close),
                high: FixedDecimal(close),
                low: FixedDecimal(close),
                close: FixedDecimal(close),
                volume: FixedDecimal(12),
                origin: .rest,
                corrected: false,
                closed: true,
                priceDirection: .flat
            )
        }
        let health = HealthViewState(
            phase: .ready,
            at: nil,
            staleAfter: nil,
            origin: nil,
            complete: true,
            error: nil
        )
        func list(_ candles: [ChartViewState.Candle]) -> DayList {
            DayList(
                ChartViewState(
                    health: health,
                    interval: "24h",
                    lastPrice: nil,
                    candles: candles,
                    range: nil,
                    gaps: []
                ),
                quote: .krw
            )
        }
        // The 18th had no trades: the 19th is compared with the 17th.
        let rows = list([
            candle(16, close: 2_000), candle(17, close: 3_000), candle(19, close: 2_999),
            candle(20, close: 2_999),
        ]).rows
        #expect(rows.map(\.dateText) == ["2026-11-20", "2026-11-19", "2026-11-17", "2026-11-16"])
        #expect(rows.map(\.closeText) == ["2,999", "2,999", "3,000", "2,000"])
        #expect(rows.map(\.changeAmountText) == ["0", "-1", "+1,000", nil])
        #expect(rows.map(\.changeRateText) == ["0.00%", "-0.03%", "+50.00%", nil])
        #expect(rows.map(\.direction) == [.flat, .down, .up, nil])
        #expect(list([]).rows.isEmpty)
        let many = (0..<400).map { _ in candle(1, close: 5) }
        #expect(list(many).rows.count == MarketDetailScreenState.daysMax)
    }
}
