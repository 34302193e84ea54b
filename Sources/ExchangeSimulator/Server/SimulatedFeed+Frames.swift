import Domain
import Synchronization

extension SimulatedFeed {
    // MARK: Stream of API 2.x

    /// Writes the state of wanted markets.
    ///
    /// - Parameters:
    ///   - wanted: the kinds of frames by market.
    ///   - faults: which frames to break.
    ///   - batch: cleared and filled.
    func snapshots(_ wanted: MarketFilter, faults: FaultSet, into batch: inout FrameBatch) {
        if !wanted.kinds.isDisjoint(with: .ofMarketTrades) {
            findPastTrades(of: Array(wanted.markets.keys))
        }
        batch.begin(with: faults)
        state.withLock { state in
            for (place, kinds) in wanted.markets.sorted(by: { $0.key < $1.key }) {
                let market = state.exchange.markets[place]
                let event = SimulatedExchange.Event(
                    market: place,
                    trades: market.lastTrade.map { [$0] } ?? []
                )
                var writer = state.marketWriter
                writer.identity = faults.tradeIdentity
                writer.quirks = faults.tickerQuirks
                let isWarned = state.reference.isWarned(market.id, at: state.exchange.now)
                Self.encode(
                    event,
                    of: market,
                    isWarned: isWarned,
                    kinds: kinds,
                    .snapshot,
                    at: state.exchange.now,
                    with: &writer,
                    into: &batch
                )
                let book = state.books.book(ofMarketAt: place, of: state.exchange)
                for view in wanted.books[place] ?? [] {
                    let at = state.exchange.now
                    let frame = writer.book(book, of: market, view, at: at, .snapshot)
                    batch.append(frame, market: place, kind: .marketBook, view: view)
                }
                state.marketWriter = writer
            }
        }
        batch.finish()
    }

    /// Writes the frames of an event in each wanted format: trades, and the ticker after them.
    static func encode(
        _ event: SimulatedExchange.Event,
        of market: SimulatedMarket,
        isWarned: Bool,
        kinds: FrameKinds,
        _ streamType: MarketFrameWriter.StreamType,
        at now: Timestamp,
        with writer: inout MarketFrameWriter,
        into batch: inout FrameBatch
    ) {
        for format in MarketFrameFormat.allCases {
            if kinds.contains(.marketTrade(format)) {
                for trade in event.trades {
                    batch.append(
                        writer.trade(trade, of: market, streamType, format),
                        market: event.market,
                        kind: .marketTrade(format)
                    )
                }
            }
            if kinds.contains(.marketTicker(format)) {
                let figures = MarketTickerFigures(of: market, at: now)
                batch.append(
                    writer.ticker(figures, isWarned: isWarned, at: now, streamType, format),
                    market: event.market,
                    kind: .marketTicker(format)
                )
            }
        }
    }
}
