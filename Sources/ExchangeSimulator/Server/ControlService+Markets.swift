import Domain
import HTTPServer

extension ControlService {
    /// How long before midnight the clock is set if the request does not say: longer than the ten
    /// seconds between two listings that a client reads.
    private static let defaultSeconds = 15
    private static let seconds = 0...3_600

    /// Changes the list of markets or the clock.
    ///
    /// - Returns: what was wrong; nil if it is done.
    func changeMarkets(_ request: HTTPServerRequest) -> HTTPServerResponse? {
        do throws(SimulatorControlError) {
            if request.path == "/simulator/midnight" { return try crossMidnight(request) }
            guard let id = market(request, "market") else {
                return problem(400, "name a market: market=BTC_KRW")
            }
            switch request.path {
            case "/simulator/list": try simulator.apply(.list(id))
            case "/simulator/suspend": try simulator.apply(.suspend(id))
            case "/simulator/delist": try simulator.apply(.delist(id))
            default:
                guard let new = market(request, "to") else {
                    return problem(400, "name both: market=OLD_KRW&to=NEW_KRW")
                }
                try simulator.apply(.rename(id, to: new))
            }
            return nil
        } catch {
            return problem(status(of: error), error.description)
        }
    }

    private func crossMidnight(
        _ request: HTTPServerRequest
    ) throws(SimulatorControlError) -> HTTPServerResponse? {
        let seconds = request.parameter("seconds").map(Int.init) ?? Self.defaultSeconds
        guard let seconds, Self.seconds.contains(seconds) else {
            return problem(400, "seconds before midnight are 0 to 3600: seconds=15")
        }
        try simulator.crossMidnight(after: .seconds(seconds))
        return nil
    }

    func market(_ request: HTTPServerRequest, _ name: String) -> MarketID? {
        request.parameter(name).flatMap { MarketID(anySpelling: $0) }
    }

    func status(of error: SimulatorControlError) -> Int {
        switch error {
        case .unknownMarket: 404
        case .otherQuote: 400
        case .recording, .nameTaken, .tooManyMarkets: 409
        }
    }
}
