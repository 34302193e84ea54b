import Domain
import Synchronization

/// The model behind a lock: the stream moves it on, REST reads it.
final class SimulatedFeed: Sendable {
    private struct State {
        var exchange: SimulatedExchange
        var frames = FrameWriter()
        var bodies = TickerBodyWriter()
        var listings = Listings()
        var trades: [Int] = []
    }

    /// Which markets there are; `version` changes with each new one.
    struct Listings: Sendable {
        var version = 0
        var places: [String: Int] = [:]
        var count = 0
    }

    private let state: Mutex<State>
    private let framesPerSecond: Int

    init(_ simulation: ExchangeSimulator.Simulation, start: Timestamp) {
        framesPerSecond = simulation.framesPerSecond
        let random = SeededRandom(seed: simulation.seed)
        state = Mutex(
            State(exchange: SimulatedExchange(simulation, start: start, random: random))
        )
        state.withLock { Self.updateListings(&$0) }
    }

    var listings: Listings { state.withLock { $0.listings } }

    /// Moves the model on and encodes what happened.
    ///
    /// - Parameters:
    ///   - time: the moment to move on to.
    ///   - kinds: the kinds of frames that anybody wants; if none, nothing is encoded and the
    ///     market moves as if all were wanted.
    ///   - faults: which frames to break.
    ///   - batch: emptied and filled.
    func advance(to time: Timestamp, kinds: FrameKinds, faults: FaultSet, batch: inout FrameBatch) {
        batch.begin(with: faults)
        state.withLock { state in
            var frames = state.frames
            var trades = state.trades
            state.exchange.advance(
                to: time,
                framesPerSecond: framesPerSecond,
                framesPerEvent: kinds.isEmpty ? FrameKinds.all.count : kinds.count
            ) { event, market in
                trades[event.market] += event.trades.count
                Self.encode(event, of: market, kinds: kinds, with: &frames, into: &batch)
            }
            state.frames = frames
            state.trades = trades
        }
        batch.finish()
    }

    private static func encode(
        _ event: SimulatedExchange.Event,
        of market: SimulatedMarket,
        kinds: FrameKinds,
        with writer: inout FrameWriter,
        into batch: inout FrameBatch
    ) {
        if kinds.contains(.transaction) {
            batch.append(
                writer.transaction(event.trades, of: market),
                market: event.market,
                kind: .transaction
            )
        }
        guard let last = event.trades.last else { return }
        for period in TickerPeriod.allCases where kinds.contains(.ticker(period)) {
            batch.append(
                writer.ticker(period, of: market, at: last.at),
                market: event.market,
                kind: .ticker(period)
            )
        }
    }

    // MARK: REST

    /// The body of `ticker/ALL_…`.
    func allTickers(of quote: Quote, at time: Timestamp) -> [UInt8] {
        state.withLock { state in
            let markets = state.exchange.markets.filter { $0.id.quote == quote }
            return state.bodies.all(markets, at: time)
        }
    }

    /// The body of the ticker of one market; nil if it is not listed.
    func ticker(of id: MarketID, at time: Timestamp) -> [UInt8]? {
        state.withLock { state in
            guard let place = state.listings.places[id.name] else { return nil }
            return state.bodies.single(state.exchange.markets[place], at: time)
        }
    }

    // MARK: Control

    func list(_ id: MarketID) {
        state.withLock { state in
            state.exchange.list(id)
            Self.updateListings(&state)
        }
    }

    func suspend(_ id: MarketID) {
        state.withLock { $0.exchange.suspend(id) }
    }

    var marketReports: [SimulatorReport.Market] {
        state.withLock { state in
            zip(state.exchange.markets, state.trades).map { market, trades in
                func text(_ price: Int64) -> String { market.ladder.decimal(price).canonicalText }
                let opens = TickerPeriod.allCases.map { period in
                    let open =
                        market.lastTradeAt == nil
                        ? market.open(of: period) : market.opensAtLastTrade[period.index]
                    return (period.rawValue, text(open))
                }
                return SimulatorReport.Market(
                    market: market.id.name,
                    price: text(market.price),
                    lastTradeAt: market.lastTradeAt?.microseconds,
                    trades: trades,
                    openPrices: Dictionary(uniqueKeysWithValues: opens),
                    isSuspended: market.standing == .suspended
                )
            }
        }
    }

    private static func updateListings(_ state: inout State) {
        let markets = state.exchange.markets
        while state.trades.count < markets.count {
            state.listings.places[markets[state.trades.count].id.name] = state.trades.count
            state.trades.append(0)
        }
        guard state.listings.count != markets.count else { return }
        state.listings.count = markets.count
        state.listings.version += 1
    }
}
