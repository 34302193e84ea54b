import Domain
import Synchronization

/// The model behind a lock: the stream advances it, REST reads it.
final class SimulatedFeed: Sendable {
    struct State {
        var exchange: SimulatedExchange
        var books: SimulatedBooks
        var reference: SimulatedReference
        var framesPerSecond: Int
        var frames = FrameWriter()
        var bookWriter = OrderBookWriter()
        var marketWriter = MarketFrameWriter()
        var bodies = TickerResponseWriter()
        var listings = Listings()
        var trades: [Int] = []
        /// Minutes without candles.
        var closure = 0..<0
        /// The books of a market in every event since they were taken; nil if they are not kept.
        var shownBooks: (place: Int, books: [SimulatedBook])?
    }

    /// The listed markets; `version` changes with each change of their names.
    struct Listings: Sendable {
        var version = 0
        /// Index of each listed market.
        var places: [String: Int] = [:]
        /// Number of indexes, including delisted markets.
        var count = 0
    }

    let state: Mutex<State>
    let clock: SimulatorClock
    /// Names of coins.
    let names: CoinNames
    /// About one megabyte each.
    let archives = PastCache(partsMax: 16) { $0.archive() }
    /// About seven megabytes each.
    let minutes = PastCache(partsMax: 2) { $0.minutes() }

    init(_ simulation: ExchangeSimulator.Simulation, clock: SimulatorClock) {
        self.clock = clock
        names = simulation.names
        let random = SeededRandom(seed: simulation.seed)
        state = Mutex(
            State(
                exchange: SimulatedExchange(simulation, start: clock.now(), random: random),
                books: SimulatedBooks(
                    framesPerSecond: simulation.bookFramesPerSecond,
                    random: SeededRandom(seed: simulation.seed ^ 0x626f_6f6b)
                ),
                reference: SimulatedReference(seed: simulation.seed),
                framesPerSecond: simulation.framesPerSecond
            )
        )
        state.withLock { Self.updateListings(&$0) }
    }

    var listings: Listings { state.withLock { $0.listings } }

    /// Sets the number of frames that trades make in a second.
    func setRate(_ framesPerSecond: Int) {
        state.withLock { $0.framesPerSecond = framesPerSecond }
    }

    /// Replaces the order book subscriptions, by market index.
    func follow(_ books: [Int: FrameKinds]) {
        state.withLock { $0.books.follow(books, from: $0.exchange.now) }
    }

    /// Advances the model to the time of its clock and encodes the events.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of frames that any connection wants. If none result from trades, none
    ///     are encoded and the market advances as if all were wanted.
    ///   - interests: the frames of API 2.x that any connection wants.
    ///   - faults: which frames to break.
    ///   - batch: cleared and filled with frames of API 1.x.
    ///   - marketBatch: cleared and filled with frames of API 2.x.
    func advance(
        kinds: FrameKinds,
        markets interests: MarketFilter = MarketFilter(),
        faults: FaultSet,
        batch: inout FrameBatch,
        marketBatch: inout FrameBatch
    ) {
        batch.begin(with: faults)
        marketBatch.begin(with: faults)
        let time = clock.now()
        let kinds = kinds.intersection(.ofTrades)
        let marketKinds = interests.kinds.intersection(.ofMarketTrades)
        let kindCount = kinds.count + marketKinds.count
        state.withLock { state in
            let start = state.exchange.now
            var frames = state.frames
            var marketFrames = state.marketWriter
            marketFrames.identity = faults.tradeIdentity
            marketFrames.quirks = faults.tickerQuirks
            let reference = state.reference
            var trades = state.trades
            state.exchange.advance(
                to: time,
                framesPerSecond: state.framesPerSecond,
                framesPerEvent: kindCount == 0 ? FrameKinds.ofTrades.count : kindCount
            ) { event, market in
                trades[event.market] += event.trades.count
                Self.encode(event, of: market, kinds: kinds, with: &frames, into: &batch)
                guard !marketKinds.isEmpty else { return }
                Self.encode(
                    event,
                    of: market,
                    isWarned: reference.isWarned(market.id, at: time),
                    kinds: marketKinds,
                    .realtime,
                    at: time,
                    with: &marketFrames,
                    into: &marketBatch
                )
            }
            state.frames = frames
            state.marketWriter = marketFrames
            state.trades = trades
            Self.advanceBooks(
                &state,
                from: start,
                views: interests.books,
                into: &batch,
                &marketBatch
            )
        }
        batch.finish()
        marketBatch.finish()
    }

    private static func advanceBooks(
        _ state: inout State,
        from start: Timestamp,
        views: [Int: Set<BookView>],
        into batch: inout FrameBatch,
        _ marketBatch: inout FrameBatch
    ) {
        var writer = state.bookWriter
        var marketWriter = state.marketWriter
        let markets = state.exchange.markets
        var shown = state.shownBooks
        state.books.advance(from: start, to: state.exchange.now, of: state.exchange) {
            event,
            place,
            book,
            time in
            if shown?.place == place { shown?.books.append(book) }
            switch event {
            case .changes:
                let frame = writer.changes(of: book, markets[place], at: time)
                batch.append(frame, market: place, kind: .depth)
            case .snapshot:
                let frame = writer.snapshot(of: book, markets[place], at: time)
                batch.append(frame, market: place, kind: .snapshot)
            case .units:
                for view in views[place] ?? [] {
                    let market = markets[place]
                    let frame = marketWriter.book(book, of: market, view, at: time, .realtime)
                    marketBatch.append(frame, market: place, kind: .marketBook, view: view)
                }
            }
        }
        state.shownBooks = shown
        state.bookWriter = writer
        state.marketWriter = marketWriter
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
    ///
    /// Its time is the moment up to which the stream has sent everything: with a later one, it
    /// would claim trades that it does not have.
    func allTickers(of quote: Quote) -> [UInt8] {
        state.withLock { state in
            let markets = state.exchange.markets.filter { $0.id.quote == quote }
            return state.bodies.all(markets, at: state.exchange.now)
        }
    }

    /// The body of the ticker of one market, of the same time; nil if it is not listed.
    func ticker(of id: MarketID) -> [UInt8]? {
        state.withLock { state in
            guard let place = state.listings.places[id.name] else { return nil }
            return state.bodies.single(state.exchange.markets[place], at: state.exchange.now)
        }
    }

    /// The body of the order book of one market; nil if it is not listed.
    ///
    /// Its time is the moment up to which the stream has sent everything, so later changes on the
    /// stream are exactly those it lacks.
    func book(of id: MarketID, count: Int) -> [UInt8]? {
        state.withLock { state in
            guard let place = state.listings.places[id.name] else { return nil }
            let book = state.books.book(ofMarketAt: place, of: state.exchange)
            let market = state.exchange.markets[place]
            return state.bookWriter.single(
                book,
                of: market,
                count: count,
                at: state.exchange.now
            )
        }
    }

    /// The body of `orderbook/ALL_…`, without suspended coins.
    func allBooks(of quote: Quote, count: Int) -> [UInt8] {
        state.withLock { state in
            var entries: [(book: SimulatedBook, market: SimulatedMarket)] = []
            for (place, market) in state.exchange.markets.enumerated()
            where market.id.quote == quote && market.standing == .active {
                let book = state.books.book(ofMarketAt: place, of: state.exchange)
                entries.append((book, market))
            }
            return state.bookWriter.all(entries, of: quote, count: count, at: state.exchange.now)
        }
    }

    /// The body of the last trades of one market; nil if it is not listed.
    func trades(of id: MarketID, count: Int) -> [UInt8]? {
        guard let market = market(id) else { return nil }
        var trades = market.trades.all
        if trades.count < count {
            trades = (archives.part(of: market)?.trades ?? []) + trades
        }
        var writer = HistoryResponseWriter()
        return writer.trades(trades.suffix(count), of: market)
    }

    /// The body of a chart of one market; nil if it is not listed.
    func candles(of id: MarketID, _ span: ChartInterval) -> [UInt8]? {
        guard let market = market(id) else { return nil }
        // Generated outside the lock: the stream does not wait for charts.
        let closure = closure
        // An archive takes milliseconds, and clients read the minutes of all markets at once.
        let archive = span.isOfLastMinutes ? nil : archives.part(of: market)
        let rows = market.writtenCandles(span, archive: archive)
            .filter { !$0.row.isInside(closure) }
        var writer = HistoryResponseWriter()
        return writer.candles(rows, of: market)
    }

    func market(_ id: MarketID) -> SimulatedMarket? {
        state.withLock { state in
            state.listings.places[id.name].map { state.exchange.markets[$0] }
        }
    }

    /// Minutes without candles.
    var closure: Range<Int> { state.withLock { $0.closure } }

    /// Whether the markets of a quote currency are removed.
    func isRemoved(_ quote: Quote) -> Bool {
        state.withLock { $0.exchange.removedQuote == quote }
    }

    // MARK: Control

    /// Removes the markets of a quote currency, after restoring those removed before; nil removes
    /// none.
    func setRemoved(_ quote: Quote?) {
        state.withLock { state in
            state.exchange.setRemoved(quote)
            Self.updateListings(&state)
        }
    }

    /// Removes the candles of `count` minutes, the first of which was `minutesAgo`.
    func closeMinutes(from minutesAgo: Int, count: Int) {
        let first = SeoulMinute.number(of: clock.now()) - max(0, minutesAgo)
        state.withLock { $0.closure = first..<(first + max(0, count)) }
    }

    /// Market time.
    var now: Timestamp { state.withLock { $0.exchange.now } }

    /// Changes the list of markets.
    func apply(
        _ change: SimulatedExchange.ListingChange
    ) throws(SimulatedExchange.ListingChangeError) {
        try state.withLock { state throws(SimulatedExchange.ListingChangeError) in
            try state.exchange.apply(change)
            if case .rename(let id, let new) = change { state.reference.rename(id, to: new) }
            Self.updateListings(&state)
        }
    }

    /// Sets the market's clock to `duration` before the next 00:00 in Seoul.
    func setClock(beforeMidnight duration: Duration) {
        clock.set(beforeMidnight: duration)
    }

    var marketReports: [SimulatorReport.Market] {
        state.withLock { state in
            zip(state.exchange.markets, state.trades).compactMap { market, trades in
                guard market.standing != .delisted else { return nil }
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
                    previousClose: text(market.day.previousClose),
                    isSuspended: market.standing == .suspended
                )
            }
        }
    }

    private static func updateListings(_ state: inout State) {
        let markets = state.exchange.markets
        while state.trades.count < markets.count { state.trades.append(0) }
        var places: [String: Int] = [:]
        for (place, market) in markets.enumerated() where market.standing != .delisted {
            places[market.id.name] = place
        }
        guard places != state.listings.places else { return }
        state.listings.places = places
        state.listings.count = markets.count
        state.listings.version += 1
    }
}
