import Domain
import Presentation

/// Draws a detail.
enum MarketDetailRenderer {
    static func room(in size: TerminalSize) -> DetailRoom { DetailRoom() }

    static func flashingFigures(of state: MarketDetailViewState) -> [String: FixedDecimal] { [:] }

    static func render(
        document: MarketDetailDocument,
        days: DayList?,
        state: ScreenState,
        now: Timestamp,
        flashing: Set<String>,
        size: TerminalSize,
        theme: Theme,
        language: Language
    ) -> Frame {
        var frame = Frame(size: size)
        frame.draw(document.state.header.market, row: 0, column: 0)
        return frame
    }
}

extension MarketDetailViewState {
    /// Whether a part of it is still awaited.
    var isAwaited: Bool {
        [header.health, orderBook.health, trades.health, chart.health]
            .contains { $0.phase == .loading }
    }
}
