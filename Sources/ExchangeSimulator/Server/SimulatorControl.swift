import Domain

/// What can be asked of and done to a running simulator, whoever asks.
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
        // A coin that is not there stays so.
        switch fault {
        case .suspension(let market), .delisting(let market):
            try? apply(.suspend(market))
        case .listing(let market): try? apply(.list(market))
        case .truncatedJSON, .wrongTypes, .unknownSymbols, .serverError, .htmlBodies,
            .tooManyRequests, .refusal5600, .latency, .greetingWithheld, .stall, .connectionDrop:
            break
        }
    }

    func end(_ kind: SimulatorFault.Kind) {
        for market in status.end(kind) { try? apply(.list(market)) }
    }

    // MARK: Markets

    /// Sets the market's clock forward to so long before the next 00:00 in Seoul.
    func crossMidnight(after duration: Duration) throws(SimulatorControlError) {
        guard case .simulated(let simulated) = feed else { throw .recording }
        simulated.setClock(beforeMidnight: duration)
    }

    /// Changes what is said of a coin or market beside its prices.
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

/// Why a simulator did not do what it was asked to.
public enum SimulatorControlError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A recording is played as it is: its markets and its clock cannot be changed.
    case recording
    /// No such market is listed.
    case unknownMarket
    /// A market of that name is listed already.
    case nameTaken
    /// A renamed coin stays in the currency it is traded in.
    case otherQuote
    /// There are as many markets as a simulator holds, 4,096.
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

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .recording: "a recording is played as it is: simulate a market to change it"
        case .unknownMarket: "no such market is listed: see /public/ticker/ALL_KRW"
        case .nameTaken: "that name is taken: choose another one"
        case .otherQuote: "a coin keeps its currency: rename BTC_KRW to a name that ends in _KRW"
        case .tooManyMarkets: "there are 4096 markets already: start the simulator anew"
        }
    }
}
