import Domain
import TestSupport
import ViewStates

@testable import PresentationTerminal

/// Screens with a market open.
enum DetailScreenSamples {
    static let market = MarketID(stringLiteral: "B_KRW")
    /// 2026-11-20 21:03:11 KST, a Friday.
    static let now = SeoulTime.timestamp(
        year: 2026,
        month: 11,
        day: 20,
        hour: 21,
        minute: 3,
        second: 11
    )
    /// Five levels of each side fit above and below the spread, ten trades, forty candles.
    static let room = PaneSizes(
        bookRows: 11,
        tradeRows: 10,
        chartColumns: 40,
        volumeRows: 4...12,
        volumeRowsUsual: 6
    )

    /// A document with thirty levels per side, trades one second apart, and days.
    static func facts(
        trades: Int = 50,
        newer: Int = 0,
        now: Timestamp = now,
        levels: Int = 30
    ) -> DetailExtent {
        var facts = DetailExtent(now: now)
        facts.asks = levels
        facts.bids = levels
        facts.levelsKept = levels
        facts.group = FixedDecimal(1_000)
        facts.trades = (0..<trades).map { trade($0 - newer) }
        facts.days = 90
        facts.firstBucket = Timestamp(microseconds: 0)
        return facts
    }

    /// The trade of so many seconds ago.
    static func trade(_ age: Int) -> TradeID {
        TradeID(at: now.advanced(by: .seconds(-age)), sequence: 0)
    }

    /// The list of ``ScreenSample`` with its selected market open and a document drawn.
    static func screen(_ pane: DetailPane = .book, _ actions: MarketDetailAction...) -> ScreenState
    {
        var state = ScreenState(list: ScreenSample.list.state)
        _ = ScreenReducer.reduce(&state, .resize(visibleRows: 3, room: DetailRoom(room)))
        _ = ScreenReducer.reduce(&state, .openSelected)
        if pane != .book { _ = ScreenReducer.reduce(&state, .detail(.focus(pane))) }
        _ = ScreenReducer.reduce(&state, .detail(.shown(facts())))
        for action in actions { _ = ScreenReducer.reduce(&state, .detail(action)) }
        return state
    }

    /// The query of an open market.
    static func query(_ state: ScreenState, now: Timestamp = now) -> MarketDetailQuery? {
        state.detail?.query(period: state.list.period, language: .korean, now: now)
    }
}

extension ScreenState {
    /// Applies actions of the detail.
    ///
    /// - Returns: all effects.
    @discardableResult
    mutating func apply(_ actions: MarketDetailAction...) -> [ScreenEffect] {
        actions.flatMap { ScreenReducer.reduce(&self, .detail($0)) }
    }
}
