import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Rising and falling differ without color")
struct DirectionTests {
    @Test("A list row shows its direction by a sign", arguments: 40...200)
    func list(columns: Int) {
        func frame(_ direction: DirectionViewState) -> Frame {
            // The figures are the same, so that nothing but the sign is left.
            var row = Samples.row("BTC", "비트코인", "Bitcoin", price: "1,000", rate: "1.20%")
            row.priceDirection = direction
            return Samples.frame(Samples.document([row]), columns: columns, rows: 12)
        }
        let frames = [frame(.up), frame(.down), frame(.flat)]
        #expect(Set(frames.map(\.lines)).count == 3)
        #expect(Set(frames.map(\.inASCII.lines)).count == 3)
    }

    @Test("Levels and trades show their direction by signs and letters", arguments: [40, 80, 200])
    func detail(columns: Int) {
        func lines(_ pane: DetailPane, _ change: (inout MarketDetailViewState) -> Void) -> [String]
        {
            var state = DetailSamples.state(levels: 4, trades: 6, candles: 20)
            change(&state)
            return DetailSamples.frame(state, columns: columns, rows: 24, pane: pane).lines
        }
        func levels(_ direction: DirectionViewState) -> [String] {
            lines(.book) { state in
                for index in state.orderBook.asks.indices {
                    state.orderBook.asks[index].priceDirection = direction
                    state.orderBook.asks[index].changeRatePercent =
                        direction == .up ? "0.65" : "-0.65"
                }
            }
        }
        #expect(levels(.up) != levels(.down))
        func trades(_ side: TradesViewState.Row.Side) -> [String] {
            lines(.trades) { state in
                for index in state.trades.rows.indices { state.trades.rows[index].side = side }
            }
        }
        #expect(trades(.buy) != trades(.sell))
    }

    @Test("ASCII candles show their direction by shape, with and without colors")
    func candles() {
        var frame = Frame(size: TerminalSize(columns: 4, rows: 1))
        for (column, role) in [CellStyle.Role.up, .down].enumerated() {
            frame.put("█", row: 0, column: column, style: CellStyle(role))
        }
        #expect(frame.inASCII.lines == ["o#  "])
    }
}
