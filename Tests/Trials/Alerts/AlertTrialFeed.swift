import Domain
import TestSupport

/// The way between exchange and process: a stream that fails, listings each ten seconds, and the
/// trades that the board lacks.
struct AlertTrialFeed {
    /// Kinds of faults; each one lasts for some time.
    enum Fault: CaseIterable {
        /// The connection ends, and no other one is made.
        case reset
        /// The connection stays open, but brings no messages any more.
        case halfOpen
        /// Messages arrive late, in order.
        case slow
        /// Messages stop, and arrive all at once later.
        case stalled
        /// REST does not answer.
        case refused
        /// The process ends.
        case crash
        /// The other API is read from then on.
        case change
        /// Messages are lost without a trace, and some are late.
        case lossy
    }

    /// Events on their way.
    private struct Flight {
        var arrivesAt: Timestamp
        var events: [MarketEvent]
    }

    /// A request for past trades or listings on its way.
    private struct Request<Answer> {
        var requestedAt: Timestamp
        var servedAt: Timestamp
        var arrivesAt: Timestamp
        var answer: Answer?
    }

    /// The API that is read.
    private(set) var api: ExchangeAPI
    private var generator: SeededGenerator
    private var fault: Fault?
    /// How often each fault has begun.
    private(set) var injected: [String: Int] = [:]

    /// Since when the stream's subscription has effect; nil without a connection.
    private var effectiveSince: Timestamp?
    /// When the connection was made.
    private var connectedAt = Timestamp(microseconds: 0)
    /// Whether the connection is dead.
    private var isDead = false
    private var flights: [Flight] = []
    private var delay: Duration = .zero
    private var attempts = 0
    private var retryAt: Timestamp?
    private var isLiveReported = false
    private var listing: Request<[MarketEvent]>?
    private var listedAt: Timestamp?
    private var isListingWanted = false
    private var trades: Request<TradeHistory>?
    private var nextTradesAt: Timestamp?
    private var isSilent = false
    /// Whether messages were ever lost without a trace.
    private(set) var hasLost = false
    /// Whether the other API is read as soon as a connection is made.
    private var isChanging = false
    private var day: Int?

    private static let failure = FeedFailure(code: .disconnected, detail: "", isRetryable: true)
    private static let deadAfter: Duration = .seconds(10)
    private static let listingInterval: Duration = .seconds(10)
    private static let tradesGap: Duration = .seconds(1)

    init(_ api: ExchangeAPI, seed: UInt64) {
        self.api = api
        generator = SeededGenerator(seed: seed)
    }

    private mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &generator))
    }

    // MARK: Faults

    /// Begins a fault.
    mutating func beginFault() -> Fault {
        let fault = Fault.allCases.randomElement(using: &generator) ?? .reset
        self.fault = fault
        injected["\(fault)", default: 0] += 1
        switch fault {
        case .halfOpen: isDead = true
        case .slow: delay = milliseconds(100...4_000)
        case .crash: forget()
        case .change: isChanging = true
        case .lossy: hasLost = true
        case .reset, .stalled, .refused: break
        }
        return fault
    }

    /// Ends the fault.
    mutating func endFault() {
        fault = nil
        delay = .zero
    }

    private mutating func forget() {
        effectiveSince = nil
        isDead = false
        flights = []
        retryAt = nil
        attempts = 0
        listing = nil
        listedAt = nil
        trades = nil
        nextTradesAt = nil
        isSilent = false
    }

    /// Connects as soon as the process can.
    mutating func connect(at now: Timestamp) {
        forget()
        retryAt = now
    }

    // MARK: One step

    /// Brings what arrives in a step.
    ///
    /// - Parameters:
    ///   - new: the new trades of the exchange.
    ///   - exchange: the exchange.
    ///   - process: receives the events.
    ///   - now: the time.
    mutating func carry(
        _ new: [Trade],
        of exchange: AlertTrialExchange,
        to process: inout AlertTrialProcess,
        at now: Timestamp
    ) {
        guard process.isRunning else { return }
        beginDay(&process, at: now)
        send(new, of: exchange, at: now)
        connectAgain(&process, at: now)
        deliver(to: &process, at: now)
        detectSilence(&process, at: now)
        readListing(of: exchange, to: &process, at: now)
        readTrades(of: exchange, to: &process, at: now)
    }

    /// Tells the process that a day has begun in Seoul, and reads the listings of the day.
    private mutating func beginDay(_ process: inout AlertTrialProcess, at now: Timestamp) {
        let today = SeoulTime(now).day
        defer { day = today }
        guard let day, day < today else { return }
        process.apply([.dayBegan(today)], at: now)
        isListingWanted = true
    }

    /// Sends the trades of a step, after a frame that tells the last price.
    private mutating func send(_ new: [Trade], of exchange: AlertTrialExchange, at now: Timestamp) {
        guard !isDead, let effectiveSince, effectiveSince <= now, !new.isEmpty else { return }
        var events: [MarketEvent] = []
        if new.contains(where: { $0.market == AlertTrialExchange.market }),
            Bool.random(using: &generator)
        {
            events.append(frame(of: exchange, at: now))
        }
        events += new.map { .trade(exchange.streamed($0, by: api)) }
        if fault == .lossy {
            let draw = Int.random(in: 0..<100, using: &generator)
            if draw < 6 { return }
            if draw < 16 {
                let arrivesAt = now.advanced(by: milliseconds(100...900))
                return flights.append(Flight(arrivesAt: arrivesAt, events: events))
            }
        }
        // Only late messages are overtaken.
        let last = fault == .lossy ? now : flights.last?.arrivesAt ?? now
        flights.append(Flight(arrivesAt: max(last, now.advanced(by: delay)), events: events))
    }

    private func frame(of exchange: AlertTrialExchange, at now: Timestamp) -> MarketEvent {
        let entry = exchange.entry(by: api)
        guard api == .v1, let price = entry.price else { return .row(entry, at: now) }
        return .ticker(
            TickerFrame(
                market: entry.market,
                period: .midnight,
                at: TradeHistory.Resolution.second.start(of: now),
                openPrice: exchange.day.previousClose,
                closePrice: price,
                tradeValue: .one,
                volume: .one,
                changeAmount: .zero,
                changeRate: .zero
            )
        )
    }

    private mutating func deliver(to process: inout AlertTrialProcess, at now: Timestamp) {
        guard fault != .stalled, !isDead else { return }
        let due = flights.filter { $0.arrivesAt <= now }
        guard !due.isEmpty else { return }
        flights.removeAll { $0.arrivesAt <= now }
        if isSilent {
            isSilent = false
            // Prices may be from before the silence.
            isListingWanted = true
        }
        process.apply(due.flatMap(\.events), at: now)
    }

    // MARK: The connection

    private mutating func connectAgain(_ process: inout AlertTrialProcess, at now: Timestamp) {
        if fault == .reset, effectiveSince != nil { lose(&process, at: now) }
        if isChanging { change(&process, at: now) }
        guard effectiveSince == nil, let retryAt, retryAt <= now else { return }
        guard fault != .reset, fault != .halfOpen else { return lose(&process, at: now) }
        self.retryAt = nil
        attempts = 0
        isDead = false
        isSilent = false
        isLiveReported = false
        isListingWanted = true
        connectedAt = now
        let isLate = Int.random(in: 0..<3, using: &generator) == 0
        effectiveSince = now.advanced(by: milliseconds(isLate ? 0...10_000 : 0...200))
        process.apply([.feed(.subscribed)], at: now)
    }

    /// Reads the other API: answers on their way are of the one before.
    private mutating func change(_ process: inout AlertTrialProcess, at now: Timestamp) {
        isChanging = false
        api = api == .v1 ? .v2 : .v1
        effectiveSince = nil
        flights = []
        listing = nil
        trades = nil
        retryAt = now
        process.apply([.feed(.reads(api))], at: now)
    }

    private mutating func lose(_ process: inout AlertTrialProcess, at now: Timestamp) {
        effectiveSince = nil
        flights = []
        attempts += 1
        let next = now.advanced(by: .seconds(min(1 << min(attempts, 4), 10)))
        retryAt = next
        process.apply(
            [.feed(.reconnecting(attempt: attempts, nextRetryAt: next, failure: Self.failure))],
            at: now
        )
    }

    private mutating func detectSilence(_ process: inout AlertTrialProcess, at now: Timestamp) {
        guard effectiveSince != nil else { return }
        let last = process.lastActivityAt ?? connectedAt
        let silence = now.duration(since: max(last, connectedAt))
        if silence >= FeedStatus.staleAfter, !isSilent {
            isSilent = true
            process.apply([.feed(.stale)], at: now)
        }
        if silence >= Self.deadAfter { lose(&process, at: now) }
    }

    // MARK: REST

    private mutating func readListing(
        of exchange: AlertTrialExchange,
        to process: inout AlertTrialProcess,
        at now: Timestamp
    ) {
        let isDue = listedAt.map { now.duration(since: $0) >= Self.listingInterval } ?? true
        if listing == nil, isListingWanted || isDue {
            isListingWanted = false
            listing = request(at: now)
        }
        guard var reading = listing else { return }
        if reading.answer == nil, reading.servedAt <= now {
            reading.answer = fault == .refused ? [] : exchange.listings(at: now, by: api)
        }
        listing = reading
        guard reading.arrivesAt <= now, let events = reading.answer else { return }
        listing = nil
        listedAt = now
        guard !events.isEmpty else { return }
        process.apply(events, at: now)
        if effectiveSince != nil, !isLiveReported {
            isLiveReported = true
            process.apply([.feed(.live)], at: now)
        }
    }

    private mutating func request<Answer>(at now: Timestamp) -> Request<Answer> {
        let servedAt = now.advanced(by: milliseconds(0...500))
        return Request(
            requestedAt: now,
            servedAt: servedAt,
            arrivesAt: servedAt.advanced(by: milliseconds(0...1_000))
        )
    }

    private mutating func readTrades(
        of exchange: AlertTrialExchange,
        to process: inout AlertTrialProcess,
        at now: Timestamp
    ) {
        let needs = process.board.detailNeeds
        if trades == nil, nextTradesAt.map({ $0 <= now }) ?? true, !needs.readings.isEmpty {
            trades = request(at: now)
        }
        guard var reading = trades else { return }
        if reading.answer == nil, reading.servedAt <= now {
            reading.answer = exchange.history(
                after: needs.lastTrades[AlertTrialExchange.market],
                requestedAt: reading.requestedAt,
                by: api
            )
        }
        trades = reading
        guard reading.arrivesAt <= now, let history = reading.answer else { return }
        trades = nil
        nextTradesAt = now.advanced(by: Self.tradesGap)
        if fault != .refused { process.apply(history, at: now) }
    }
}
