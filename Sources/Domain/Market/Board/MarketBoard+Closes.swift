/// Since when the closes of trades are complete.
enum CloseStream: Sendable {
    /// Trades may be missing.
    case lost
    /// Subscribed; a trade later than those before proves that the subscription has effect.
    case subscribed(after: Timestamp?)
    /// Complete from this minute on.
    case starting(at: Timestamp)
    /// All markets on the board are followed.
    case running
}

/// A close that the board lacks.
public struct CloseNeed: Sendable, Hashable {
    /// The reason.
    public enum Reason: Sendable, Hashable {
        /// The base of the change is unknown.
        case base
        /// The base of a window of more than an hour becomes unknown within ten minutes.
        case reach
        /// The base is known, but not to the minute; for windows up to an hour also that of the
        /// next minute.
        case minute
        /// A part of a market's last day is unknown.
        case line
    }

    /// The market.
    public var market: MarketID
    /// The period of the change.
    public var period: ChangePeriod
    /// The minute at whose start the period begins, in exchange time.
    public var moment: Timestamp
    /// The reason.
    public var reason: Reason

    /// Makes a need.
    public init(market: MarketID, period: ChangePeriod, moment: Timestamp, reason: Reason) {
        self.market = market
        self.period = period
        self.moment = moment
        self.reason = reason
    }
}

/// Changes over one period, or prices of a day, that a client shows.
public enum ShownPeriod: Sendable, Hashable {
    /// The changes of all markets of one quote currency, for a list that ranks or filters them.
    case list(ChangePeriod, Quote)
    /// The change of a market on a screen; it is read before those of lists.
    case row(ChangePeriod, MarketID)
    /// A change of a market on a screen beside that of its list; it is read after those of lists.
    case column(ChangePeriod, MarketID)
    /// The prices of a market on a screen over the last day; they are read after all changes.
    case line(MarketID)
}

extension Set<ShownPeriod> {
    /// The changes of several currencies' markets; none for the day, whose base is not read.
    public static func lists(_ period: ChangePeriod, of quotes: Set<Quote>) -> Set<ShownPeriod> {
        period.window == nil ? [] : Set(quotes.map { .list(period, $0) })
    }

    /// Changes of markets on a screen beside that of their list; none for the day.
    public static func columns(
        _ period: ChangePeriod,
        of markets: some Sequence<MarketID>
    ) -> Set<ShownPeriod> {
        period.window == nil ? [] : Set(markets.map { .column(period, $0) })
    }

    /// The changes of markets on a screen; none for the day, whose base is not read.
    public static func rows(
        _ period: ChangePeriod,
        of markets: some Sequence<MarketID>
    ) -> Set<ShownPeriod> {
        period.window == nil ? [] : Set(markets.map { .row(period, $0) })
    }
}

extension MarketBoard {
    /// The closes that changes over these periods lack: those of rows, those of lists, those of
    /// columns, then those of lines, each in the order of popularity.
    ///
    /// - Parameters:
    ///   - shown: the periods in use.
    ///   - now: the local wall clock.
    /// - Returns: at most one need for each market and period, and one for each line.
    public func closeNeeds(of shown: Set<ShownPeriod>, now: Timestamp) -> [CloseNeed] {
        let now = knownTime(at: now)
        var (rows, others) = ([CloseNeed](), [CloseNeed]())
        var (columns, lines) = ([CloseNeed](), [CloseNeed]())
        for id in ListMarkets(selection: .all)(self, names: CoinNames([:]), now: now).order {
            guard let index = indexes[id] else { continue }
            for period in ChangePeriod.allCases {
                let isRow = shown.contains(.row(period, id))
                let isListed = shown.contains(.list(period, id.quote))
                guard isRow || isListed || shown.contains(.column(period, id)),
                    let need = need(markets[index], closes[index], period, now)
                else { continue }
                switch (isRow, isListed) {
                case (true, _): rows.append(need)
                case (false, true): others.append(need)
                case (false, false): columns.append(need)
                }
            }
            if shown.contains(.line(id)), let need = dayLineNeed(of: index, now) {
                lines.append(need)
            }
        }
        return rows + others + columns + lines
    }

    private func need(
        _ market: MarketState,
        _ closes: MinuteCloses,
        _ period: ChangePeriod,
        _ now: Timestamp
    ) -> CloseNeed? {
        guard let window = period.window, market.isTrading, market.lacksBase(of: period),
            !market.isWithoutTrade(in: window, now: now)
        else { return nil }
        var moment = beginning(of: window, now: now)
        let close = closes.close(at: moment)
        let reason: CloseNeed.Reason
        if close == .unknown {
            reason = .base
        } else if period.isReadToTheMinute {
            // The next minute's base is read ahead, so that it is exact from its beginning on.
            let next = CandleInterval.minute1.nextBucket(after: moment)
            if close.isExact {
                if closes.close(at: next).isExact { return nil }
                moment = next
            }
            reason = .minute
        } else if closes.close(at: moment.advanced(by: MinuteCloses.reach)) == .unknown {
            reason = .reach
        } else if !close.isExact {
            reason = .minute
        } else {
            return nil
        }
        return CloseNeed(market: market.id, period: period, moment: moment, reason: reason)
    }

    /// What is known of each market's change over a period.
    public func changeStates(over period: ChangePeriod, now: Timestamp) -> ChangeStates {
        ChangeStates(
            period: period,
            markets: markets.map(\.id),
            states: markets.map { changeState(of: $0, over: period, now: now) }
        )
    }

    /// Whether a market's change over a period is known, or cannot be.
    public func isChangeKnown(
        of market: MarketState,
        over period: ChangePeriod,
        now: Timestamp
    ) -> Bool {
        changeState(of: market, over: period, now: now) != .unknown
    }

    private func changeState(
        of market: MarketState,
        over period: ChangePeriod,
        now: Timestamp
    ) -> ChangeStates.State {
        let close = close(of: market, over: period, now: knownTime(at: now))
        guard market.canChange(over: period, day: day), !close.isNone else { return .absent }
        let change = change(of: market, over: period, now: now)
        guard change.ratePercent != nil, change.amount != nil else { return .unknown }
        return close.isCoarse && !change.isWithoutTrade ? .coarse : .known
    }

    /// How many of these markets' changes are known, by the states of the same board.
    public func coverage(
        of order: some Sequence<MarketID>,
        by states: ChangeStates
    ) -> ChangeCoverage {
        let states = changeStates(of: order, by: states)
        return states.coverage(of: states.states.indices)
    }

    /// The states of these markets' changes, in their order, from the states of the same board.
    public func changeStates(
        of order: some Sequence<MarketID>,
        by states: ChangeStates
    ) -> ChangeStates {
        ChangeStates(
            period: states.period,
            markets: Array(order),
            states: order.map { id in indexes[id].map { states.states[$0] } ?? .absent }
        )
    }

    /// The close at the beginning of a period; unknown if a frame tells the base.
    func close(
        of market: MarketState,
        over period: ChangePeriod,
        now: Timestamp
    ) -> MinuteCloses.Close {
        guard let window = period.window, market.lacksBase(of: period),
            let index = indexes[market.id]
        else { return .unknown }
        return closes[index].close(at: beginning(of: window, now: now))
    }

    /// The minute in which a window begins: bases move from minute to minute.
    private func beginning(of window: Duration, now: Timestamp) -> Timestamp {
        minute(at: now).advanced(by: .zero - window)
    }

    /// The start of the exchange's current minute.
    func minute(at now: Timestamp) -> Timestamp {
        let time = feed.kind == .replay ? exchangeTime(at: now) : now.advanced(by: clockLead)
        return CandleInterval.minute1.bucketStart(of: time)
    }
}

/// What is known of the changes of a board's markets over one period.
public struct ChangeStates: Sendable, Equatable {
    enum State: Sendable {
        /// The market never traded, or not before the period began.
        case absent
        case unknown
        case known
        /// Known from the base of up to ten minutes before.
        case coarse
    }

    /// The period.
    public let period: ChangePeriod
    /// The markets: the board's, unless said otherwise.
    let markets: [MarketID]
    /// In the order of the markets.
    let states: [State]

    /// How many of the changes in a range are known.
    public func coverage(of range: Range<Int>) -> ChangeCoverage {
        var coverage = ChangeCoverage()
        for state in states[range] {
            switch state {
            case .absent: continue
            case .unknown: coverage.of += 1
            case .known, .coarse:
                coverage.of += 1
                coverage.known += 1
            }
            if state == .coarse { coverage.resolution = MinuteCloses.coarse }
        }
        return coverage
    }
}

/// How many markets of a list have a known change.
public struct ChangeCoverage: Sendable, Hashable {
    /// Markets whose change is known.
    public internal(set) var known = 0
    /// Markets that have a change.
    public internal(set) var of = 0
    /// The resolution of the bases; nil if all are known to the minute.
    public internal(set) var resolution: CandleInterval?

    /// Whether the change of every market is known.
    public var isComplete: Bool { known == of }
}

extension MarketBoard {
    /// Applies a page of closes.
    mutating func apply(
        _ page: ClosePage,
        _ receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
        guard let index = indexes[page.market] else { return }
        func changesOfMarket() -> [PriceChange] {
            ChangePeriod.allCases.map { change(of: markets[index], over: $0, now: receivedAt) }
        }
        let before = (changesOfMarket(), line: dayLine(of: markets[index], now: receivedAt))
        closes[index].add(page)
        var facets: MarketFacets = []
        if before.0 != changesOfMarket() { facets.insert(.change) }
        if before.line != dayLine(of: markets[index], now: receivedAt) { facets.insert(.figures) }
        if !facets.isEmpty { touch(index, facets, &changes) }
    }

    /// Starts to follow the trades of all markets once the stream proves to be complete.
    ///
    /// - Parameters:
    ///   - at: the exchange time of an event of the stream.
    ///   - isTrade: whether the event is a trade; only trades prove that trades arrive.
    mutating func followCloses(_ at: Timestamp, isTrade: Bool) {
        let minute = CandleInterval.minute1
        switch closeStream {
        case .lost, .running: return
        case .subscribed(let last):
            guard isTrade, last.map({ at > $0 }) ?? true else { return }
            let settled = at.advanced(by: MinuteCandleBuilder.settling)
            closeStream = .starting(at: minute.nextBucket(after: minute.bucketStart(of: settled)))
        case .starting(let start):
            guard at >= start else { return }
            let isListed = markets.allSatisfy {
                $0.isStored || quotesListedLive.contains($0.id.quote)
            }
            guard isListed else {
                // A price that was listed before the subscription may be older than its trades.
                closeStream = .starting(at: minute.nextBucket(after: minute.bucketStart(of: at)))
                return
            }
            for (index, market) in markets.enumerated() where !market.isStored {
                closes[index].follow(
                    from: start,
                    price: market.price,
                    tradedAt: market.lastTradeAt
                )
            }
            closeStream = .running
        }
    }

    /// Records a trade among the closes of its market.
    ///
    /// The first trade of a market that was listed later proves that its trades arrive; they are
    /// complete from the next minute on.
    mutating func recordClose(_ trade: Trade, of index: Int) {
        if case .running = closeStream, !closes[index].isFollowed {
            let minute = CandleInterval.minute1
            let newest = max(trade.executedAt, streamedUntil ?? trade.executedAt)
            let settled = newest.advanced(by: MinuteCandleBuilder.settling)
            closes[index].follow(
                from: minute.nextBucket(after: minute.bucketStart(of: settled)),
                price: trade.price,
                tradedAt: trade.executedAt
            )
        }
        closes[index].record(trade)
    }

    /// Ends the closes of trades at the last minute that is complete.
    ///
    /// - Parameter start: until when the stream was complete; nil for the time of its newest data.
    mutating func loseCloses(from start: Timestamp? = nil) {
        defer { closeStream = .lost }
        guard case .running = closeStream, let from = start ?? streamedUntil else { return }
        for index in closes.indices { closes[index].lose(at: from) }
    }

    /// Discards closes of another feed.
    mutating func discardCloses() {
        closes = markets.map { _ in MinuteCloses() }
        clockLead = .zero
        switch closeStream {
        case .lost: return
        // The stream now belongs to the other feed.
        case .subscribed, .starting, .running: closeStream = .subscribed(after: nil)
        }
    }
}

extension MarketState {
    /// Whether no frame told the base of a period.
    fileprivate func lacksBase(of period: ChangePeriod) -> Bool {
        !isStored && price != nil && frame(of: period)?.base == nil
    }

    /// Whether the market has a change: it was traded, and it had a previous close.
    fileprivate func canChange(over period: ChangePeriod, day: Int?) -> Bool {
        guard isTrading, price != nil else { return false }
        return period.window != nil || previousClose != nil || previousCloseDay != day
            || isQuietToday
    }
}

extension MinuteCloses.Close {
    /// The price; nil if there is none or it is unknown.
    var price: FixedDecimal? {
        switch self {
        case .known(let price, _): price
        case .none, .unknown: nil
        }
    }

    /// Whether it is as it was up to ten minutes before.
    fileprivate var isCoarse: Bool { self != .unknown && !isExact }

    fileprivate var isNone: Bool {
        switch self {
        case .none: true
        case .known, .unknown: false
        }
    }

    fileprivate var isExact: Bool {
        switch self {
        case .known(_, let isExact), .none(let isExact): isExact
        case .unknown: false
        }
    }
}
