import Domain

/// The queries and commands of a running simulator, for code and for HTTP.
struct SimulatorControl: Sendable {
    let feed: StreamServer.Feed
    let status: SimulatorStatus

    var feedName: String { RESTService.name(of: feed) }
    var faults: [SimulatorFault] { status.faults.all }

    func setPaused(_ isPaused: Bool) {
        status.setPaused(isPaused)
    }

    func report() -> SimulatorReport {
        switch feed {
        case .simulated(let simulated):
            status.report(
                feed: feedName,
                marketTime: simulated.now,
                skippedLines: 0,
                markets: simulated.marketReports
            )
        case .replay(let replay):
            status.report(
                feed: feedName,
                marketTime: nil,
                skippedLines: replay.recording.skippedLines,
                markets: []
            )
        }
    }

    func start(_ fault: SimulatorFault) {
        status.start(fault)
        // A coin that is not listed is ignored.
        switch fault {
        case .suspension(let market), .delisting(let market):
            try? apply(.suspend(market))
        case .listing(let market): try? apply(.list(market))
        case .codeReuse(let market, let code):
            try? apply(.delist(code))
            try? apply(.rename(market, to: code))
        case .quoteRemoval(let quote): simulated?.setRemoved(quote)
        case .candleHole(let minutesAgo, let minutes):
            simulated?.closeMinutes(from: minutesAgo, count: minutes)
        case .truncatedJSON, .wrongTypes, .unknownSymbols, .serverError, .htmlBodies,
            .tooManyRequests, .refusal5600, .latency, .greetingWithheld, .stall, .connectionDrop,
            .api1Off, .api2Off, .stream1Stall, .stream2Stall, .inclusiveCursor,
            .shiftedStreamTimes, .oldStreamIDs, .realtimeFirst, .lateFrames, .longNumbers,
            .noDelistingDates,
            .trueTickerTimes, .stream1Gone, .stream2Gone, .refusedCode:
            break
        }
    }

    /// The simulated market; nil for a recording.
    private var simulated: SimulatedFeed? {
        if case .simulated(let simulated) = feed { return simulated }
        return nil
    }

    func end(_ kind: SimulatorFault.Kind) {
        for market in status.end(kind) { try? apply(.list(market)) }
        if kind == .quoteRemoval { simulated?.setRemoved(nil) }
        if kind == .candleHole { simulated?.closeMinutes(from: 0, count: 0) }
    }

    // MARK: Markets

    /// Sets the market's clock to `duration` before the next 00:00 in Seoul.
    func crossMidnight(after duration: Duration) throws(SimulatorControlError) {
        guard case .simulated(let simulated) = feed else { throw .recording }
        simulated.setClock(beforeMidnight: duration)
    }

    /// Sets the number of frames that trades make in a second.
    func setRate(_ framesPerSecond: Int) throws(SimulatorControlError) {
        guard case .simulated(let simulated) = feed else { throw .recording }
        simulated.setRate(framesPerSecond)
    }

    /// Changes the reference data of a coin or market.
    func apply(_ change: ReferenceChange) throws(SimulatorControlError) {
        guard case .simulated(let simulated) = feed else { throw .recording }
        guard simulated.apply(change) else { throw .unknownMarket }
    }

    /// Changes the list of markets.
    func apply(_ change: SimulatedExchange.ListingChange) throws(SimulatorControlError) {
        guard case .simulated(let simulated) = feed else { throw .recording }
        do throws(SimulatedExchange.ListingChangeError) {
            try simulated.apply(change)
        } catch {
            throw SimulatorControlError(error)
        }
    }
}

/// Why a simulator refused a command.
public enum SimulatorControlError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Markets and clock of a recording cannot be changed.
    case recording
    /// No such market is listed.
    case unknownMarket
    /// A market with that name is already listed.
    case nameTaken
    /// A renamed coin cannot change its quote currency.
    case otherQuote
    /// The simulator has its maximum number of markets, 4,096.
    case tooManyMarkets

    init(_ error: SimulatedExchange.ListingChangeError) {
        self =
            switch error {
            case .unknown: .unknownMarket
            case .taken: .nameTaken
            case .otherQuote: .otherQuote
            case .full: .tooManyMarkets
            }
    }

    /// The problem and its remedy.
    public var description: String {
        switch self {
        case .recording: "a recording cannot be changed: simulate a market instead"
        case .unknownMarket: "unknown market: see /public/ticker/ALL_KRW"
        case .nameTaken: "a market with this name is listed already: choose another name"
        case .otherQuote:
            "the quote currency cannot change: rename BTC_KRW to a name that ends in _KRW"
        case .tooManyMarkets: "the limit of 4096 markets is reached: restart the simulator"
        }
    }
}
