package import Domain
package import HTTPServer
import Synchronization

/// A simulator that its caller advances, without a listener, a thread or time of its own.
///
/// A request is a function call. A stream begins as with the listening simulator: the reply to its
/// request takes over a socket. What follows depends only on the seed, the calls and the clock, so
/// a trial can be repeated.
package final class SteppedSimulator: Sendable {
    private let parts: SimulatorParts
    private let simulated: SimulatedFeed
    private let loop: Mutex<StreamLoop>

    /// Generates the markets.
    ///
    /// - Parameters:
    ///   - simulation: the markets.
    ///   - requestsPerSecondMax: as of ``ExchangeSimulator/Configuration``.
    ///   - now: the wall clock of the exchange.
    /// - Throws: ``ExchangeSimulatorError``.
    package init(
        _ simulation: ExchangeSimulator.Simulation,
        requestsPerSecondMax: Int,
        now: @escaping @Sendable () -> Timestamp
    ) throws(ExchangeSimulatorError) {
        var configuration = ExchangeSimulator.Configuration(
            host: "",
            port: 0,
            feed: .simulation(simulation)
        )
        configuration.requestsPerSecondMax = requestsPerSecondMax
        parts = try SimulatorParts(configuration, now: now)
        guard case .simulated(let feed) = parts.feed else {
            throw .badConfiguration("a recording has no markets")
        }
        simulated = feed
        loop = Mutex(parts.loop(configuration, now: now))
    }

    deinit { loop.withLock { $0.end() } }

    /// Answers a request, or begins a stream.
    package func reply(to request: HTTPServerRequest) -> HTTPServerReply {
        parts.service.reply(to: request)
    }

    /// Advances the markets to the time of the clock, reads requests and writes frames.
    package func advance() { loop.withLock { $0.serve(waitingMilliseconds: 0) } }

    /// Starts a fault, or makes it happen once.
    package func start(_ fault: SimulatorFault) { parts.control.start(fault) }

    /// Ends a kind of fault.
    package func end(_ kind: SimulatorFault.Kind) { parts.control.end(kind) }

    /// Pauses the market and the streams, as for maintenance.
    package func setPaused(_ isPaused: Bool) { parts.control.setPaused(isPaused) }

    /// Gives a market another code; false if it is not listed, or another market has that code.
    package func rename(_ id: MarketID, to new: MarketID) -> Bool {
        (try? parts.control.apply(.rename(id, to: new))) != nil
    }

    // MARK: The truth

    /// One listed market as the exchange knows it.
    package struct Market: Sendable, Hashable {
        /// The identifier.
        package var id: MarketID
        /// The price of the last trade.
        package var price: FixedDecimal
        /// The price at the last midnight in Seoul.
        package var previousClose: FixedDecimal
        /// The turnover of the last 24 hours.
        package var tradeValue24h: FixedDecimal
        /// When it was last traded; nil if not since the start.
        package var lastTradeAt: Timestamp?
        /// Whether it is traded, not suspended.
        package var isActive: Bool
    }

    /// All listed markets, in order of listing.
    package func markets() -> [Market] {
        simulated.state.withLock { state in
            state.exchange.markets.filter { $0.standing != .delisted }.map { market in
                Market(
                    id: market.id,
                    price: market.ladder.decimal(market.price),
                    previousClose: market.ladder.decimal(market.day.previousClose),
                    tradeValue24h: Self.decimal(
                        market.sums(of: .hours24).value,
                        market.valueDigits
                    ),
                    lastTradeAt: market.lastTradeAt,
                    isActive: market.standing == .active
                )
            }
        }
    }

    /// The last trades of a market since the start, oldest first; at most some hundreds.
    package func trades(of id: MarketID, newest count: Int = .max) -> [Trade] {
        guard let market = simulated.market(id) else { return [] }
        return market.trades.all.suffix(count).map { trade in
            Trade(
                market: id,
                price: market.ladder.decimal(trade.price),
                quantity: Self.decimal(trade.quantity, SimulatedTrade.quantityDigits),
                side: trade.isBuy ? .buy : .sell,
                executedAt: trade.at
            )
        }
    }

    /// The last prices of minutes of the last 25 hours.
    ///
    /// - Parameters:
    ///   - id: the market.
    ///   - ages: how many minutes before the current one.
    /// - Returns: the prices in this order; none if the market is not listed.
    package func closes(of id: MarketID, minutesAgo ages: ClosedRange<Int>) -> [FixedDecimal] {
        guard let market = simulated.market(id) else { return [] }
        return ages.map { age in
            market.ladder.decimal(market.history[market.history.minute - age].close)
        }
    }

    /// A side of an order book, best level first.
    package typealias Levels = [(price: FixedDecimal, quantity: FixedDecimal)]

    /// The order books of a market that the streams have shown since the last call, the present one
    /// last.
    ///
    /// - Parameters:
    ///   - id: the market.
    ///   - count: the number of levels of a side.
    /// - Returns: nil if no stream follows the market, or it is not listed: such a book moves
    ///   whenever it is asked for.
    package func takeShownBooks(
        of id: MarketID,
        levels count: Int
    ) -> [(asks: Levels, bids: Levels)]? {
        simulated.state.withLock { state in
            guard let place = state.listings.places[id.name], state.books.isFollowed(place) else {
                state.shownBooks = nil
                return nil
            }
            let before = state.shownBooks?.place == place ? state.shownBooks?.books ?? [] : []
            state.shownBooks = (place, [])
            let ladder = state.exchange.markets[place].ladder
            let books = before + [state.books.book(ofMarketAt: place, of: state.exchange)]
            return books.map { book in
                (Self.best(count, of: book.asks, ladder), Self.best(count, of: book.bids, ladder))
            }
        }
    }

    private static func best(
        _ count: Int,
        of side: SimulatedSide,
        _ ladder: PriceGrid
    ) -> Levels {
        // A removed level has no quantity.
        side.levels.lazy.filter { $0.quantity > 0 }.prefix(count).map { level in
            (ladder.decimal(level.price), decimal(level.quantity, SimulatedLevel.quantityDigits))
        }
    }

    private static func decimal(_ number: some BinaryInteger, _ digits: Int) -> FixedDecimal {
        guard let decimal = try? FixedDecimal(mantissa: Int128(number), scale: digits) else {
            preconditionFailure("Quantities and turnovers of the simulator fit.")
        }
        return decimal
    }
}
