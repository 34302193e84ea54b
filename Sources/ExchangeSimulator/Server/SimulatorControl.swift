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
            status.report(feed: feedName, skippedLines: 0, markets: simulated.marketReports)
        case .replay(let replay):
            status.report(
                feed: feedName,
                skippedLines: replay.recording.skippedLines,
                markets: []
            )
        }
    }

    func start(_ fault: SimulatorFault) {
        status.start(fault)
        guard case .simulated(let simulated) = feed else { return }
        switch fault {
        case .suspension(let market), .delisting(let market): simulated.suspend(market)
        case .listing(let market): simulated.list(market)
        case .truncatedJSON, .wrongTypes, .unknownSymbols, .serverError, .htmlBodies,
            .tooManyRequests, .refusal5600, .latency, .greetingWithheld, .stall, .connectionDrop:
            break
        }
    }

    func end(_ kind: SimulatorFault.Kind) {
        let markets = status.end(kind)
        guard case .simulated(let simulated) = feed else { return }
        markets.forEach(simulated.list)
    }
}
