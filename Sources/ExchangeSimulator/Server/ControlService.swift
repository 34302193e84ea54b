import Domain
import FoundationEssentials
import HTTPServer

/// Answers `/simulator/…`: report, pause, faults, list of markets and clock.
///
/// - `GET report`: a ``SimulatorReport``.
/// - `POST pause`, `POST resume`: answered with the report.
/// - `GET faults`: the faults in force.
/// - `POST faults`: a command as query (`?kind=latency&milliseconds=300`, `?kind=latency&on=false`,
///   `?kind=all&on=false`) or as JSON, one object or a list of them, with the same names.
/// - `POST list?market=NEW_KRW`, `POST suspend?market=…`, `POST delist?market=…`, `POST
///   rename?market=OLD_KRW&to=NEW_KRW`: change the list, answered with the report.
/// - `POST asset?coin=XRP&deposit=false&withdrawal=true`: sets deposits, withdrawals or both; `POST
///   warning?market=XRP_KRW&on=true`: 유의; `POST alert?market=XRP_KRW&type=…&step=…&seconds=…` and
///   `POST alert?market=XRP_KRW&on=false`: 경보. Answered with the report.
/// - `POST midnight?seconds=15`: sets the market's clock to this long before 00:00 in Seoul,
///   answered with the report.
/// - `POST rate?frames=200`: sets how many frames trades make in a second, answered with the
///   report.
struct ControlService: Sendable {
    let simulator: SimulatorControl

    /// One change of the faults.
    struct Command: Codable, Equatable {
        var kind: String
        var on: Bool?
        var every: Int?
        var status: Int?
        var milliseconds: Int?
        var market: String?
        var to: String?
        var quote: String?
        var minutesAgo: Int?
        var minutes: Int?
    }

    func response(to request: HTTPServerRequest) -> HTTPServerResponse {
        switch (request.method, request.path) {
        case ("GET", "/simulator/report"): break
        case ("POST", "/simulator/pause"): simulator.setPaused(true)
        case ("POST", "/simulator/resume"): simulator.setPaused(false)
        case ("GET", "/simulator/faults"): return faults()
        case ("POST", "/simulator/faults"): return change(request)
        case ("POST", "/simulator/list"), ("POST", "/simulator/suspend"),
            ("POST", "/simulator/delist"), ("POST", "/simulator/rename"),
            ("POST", "/simulator/midnight"), ("POST", "/simulator/rate"):
            if let problem = changeMarkets(request) { return problem }
        case ("POST", "/simulator/asset"), ("POST", "/simulator/warning"),
            ("POST", "/simulator/alert"):
            if let problem = changeReference(request) { return problem }
        case (_, "/simulator/report"), (_, "/simulator/faults"), (_, "/simulator/pause"),
            (_, "/simulator/resume"), (_, "/simulator/list"), (_, "/simulator/suspend"),
            (_, "/simulator/delist"), (_, "/simulator/rename"), (_, "/simulator/midnight"),
            (_, "/simulator/rate"), (_, "/simulator/asset"), (_, "/simulator/warning"),
            (_, "/simulator/alert"):
            return problem(405, "wrong method: use GET for report and faults, POST for the others")
        default:
            return problem(
                404,
                "unknown path: use /simulator/report, faults, pause, resume, list, suspend, "
                    + "delist, rename, midnight, rate, asset, warning or alert"
            )
        }
        return json(simulator.report())
    }

    private func faults() -> HTTPServerResponse {
        json(["faults": simulator.faults.map(Command.init)])
    }

    private func change(_ request: HTTPServerRequest) -> HTTPServerResponse {
        guard let commands = commands(of: request) else {
            return problem(
                400,
                "missing command: send kind=… as query, or one or several objects as JSON"
            )
        }
        // All commands are parsed before the first one is executed.
        var changes: [Change] = []
        for command in commands {
            guard let change = Change(command) else {
                let kinds = SimulatorFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                return problem(
                    400,
                    "invalid command: kind is one of \(kinds), or all with on=false; "
                        + "numbers are every, status, milliseconds, minutesAgo, minutes; "
                        + "markets are market=BTC_KRW and to=ETH_KRW; quote=BTC"
                )
            }
            changes.append(change)
        }
        for change in changes {
            switch change {
            case .start(let fault): simulator.start(fault)
            case .end(let kind): simulator.end(kind)
            case .endAll: SimulatorFault.Kind.allCases.forEach(simulator.end)
            }
        }
        return faults()
    }

    private func commands(of request: HTTPServerRequest) -> [Command]? {
        if let kind = request.parameter("kind") {
            return [
                Command(
                    kind: kind,
                    on: request.parameter("on").map { $0 != "false" },
                    every: request.parameter("every").flatMap(Int.init),
                    status: request.parameter("status").flatMap(Int.init),
                    milliseconds: request.parameter("milliseconds").flatMap(Int.init),
                    market: request.parameter("market"),
                    to: request.parameter("to"),
                    quote: request.parameter("quote"),
                    minutesAgo: request.parameter("minutesAgo").flatMap(Int.init),
                    minutes: request.parameter("minutes").flatMap(Int.init)
                )
            ]
        }
        let decoder = JSONDecoder()
        let body = Data(request.body)
        if let list = try? decoder.decode([Command].self, from: body) { return list }
        return (try? decoder.decode(Command.self, from: body)).map { [$0] }
    }

    func json(_ value: some Encodable) -> HTTPServerResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let body = (try? encoder.encode(value)).map { [UInt8]($0) } ?? []
        return response(200, body)
    }

    func problem(_ status: Int, _ text: String) -> HTTPServerResponse {
        let encoder = JSONEncoder()
        let body = (try? encoder.encode(["message": text])).map { [UInt8]($0) } ?? []
        return response(status, body)
    }

    private func response(_ status: Int, _ body: [UInt8]) -> HTTPServerResponse {
        HTTPServerResponse(
            status: status,
            headers: [
                ("Content-Type", "application/json"), ("x-hoga-feed", simulator.feedName),
            ],
            body: body
        )
    }

    private enum Change {
        case start(SimulatorFault)
        case end(SimulatorFault.Kind)
        case endAll

        init?(_ command: Command) {
            if command.kind == "all", command.on == false {
                self = .endAll
                return
            }
            guard let kind = SimulatorFault.Kind(rawValue: command.kind) else { return nil }
            if command.on == false {
                self = .end(kind)
            } else if let fault = SimulatorFault(kind, command) {
                self = .start(fault)
            } else {
                return nil
            }
        }
    }
}

extension ControlService {
    /// Default time before midnight, longer than the ten seconds between a client's two listings.
    private static let defaultSeconds = 15
    private static let seconds = 0...3_600
    private static let rates = 1...1_000_000

    /// Changes the list of markets, the clock or the rate.
    ///
    /// - Returns: the answer, which is an error if the request was refused.
    func changeMarkets(_ request: HTTPServerRequest) -> HTTPServerResponse? {
        do throws(SimulatorControlError) {
            if request.path == "/simulator/midnight" { return try crossMidnight(request) }
            if request.path == "/simulator/rate" { return try setRate(request) }
            guard let id = market(request, "market") else {
                return problem(400, "missing market, e.g. market=BTC_KRW")
            }
            switch request.path {
            case "/simulator/list": try simulator.apply(.list(id))
            case "/simulator/suspend": try simulator.apply(.suspend(id))
            case "/simulator/delist": try simulator.apply(.delist(id))
            default:
                guard let new = market(request, "to") else {
                    return problem(400, "missing market or to, e.g. market=OLD_KRW&to=NEW_KRW")
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
            return problem(400, "seconds must be 0 to 3600, e.g. seconds=15")
        }
        try simulator.crossMidnight(after: .seconds(seconds))
        return nil
    }

    private func setRate(
        _ request: HTTPServerRequest
    ) throws(SimulatorControlError) -> HTTPServerResponse? {
        guard let rate = request.parameter("frames").flatMap({ Int($0) }),
            Self.rates.contains(rate)
        else { return problem(400, "frames must be 1 to 1000000, e.g. frames=200") }
        try simulator.setRate(rate)
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

extension ControlService {
    /// Default duration of a warning, long enough for any test.
    private static let defaultAlertSeconds = 86_400
    private static let alertSeconds = 0...2_592_000
    /// Maximum length of a type or step.
    private static let wordBytesMax = 64

    /// Changes deposits and withdrawals of a coin or the warnings of a market.
    ///
    /// - Returns: the answer, which is an error if the request was refused.
    func changeReference(_ request: HTTPServerRequest) -> HTTPServerResponse? {
        let change: ReferenceChange?
        let remedy: String
        switch request.path {
        case "/simulator/asset":
            change = assetChange(request)
            remedy = "missing coin or state, e.g. coin=XRP&deposit=false&withdrawal=true"
        case "/simulator/warning":
            change = warningChange(request)
            remedy = "missing market, e.g. market=XRP_KRW&on=true"
        default:
            change = alertChange(request)
            remedy =
                "missing market, e.g. market=XRP_KRW&type=\(SimulatedReference.alertTypes[0])"
                + "&step=\(SimulatedReference.alertSteps.joined(separator: "|"))&seconds=3600"
                + ", or on=false"
        }
        guard let change else { return problem(400, remedy) }
        do throws(SimulatorControlError) {
            try simulator.apply(change)
            return nil
        } catch {
            return problem(status(of: error), error.description)
        }
    }

    private func assetChange(_ request: HTTPServerRequest) -> ReferenceChange? {
        guard let asset = request.parameter("coin").flatMap({ Asset(anySpelling: $0) }),
            let deposit = flag(request, "deposit"), let withdrawal = flag(request, "withdrawal"),
            deposit != nil || withdrawal != nil
        else { return nil }
        return .asset(asset, deposit: deposit, withdrawal: withdrawal)
    }

    private func warningChange(_ request: HTTPServerRequest) -> ReferenceChange? {
        guard let id = market(request, "market"), let isOn = flag(request, "on") else {
            return nil
        }
        return .warning(id, isOn: isOn ?? true)
    }

    private func alertChange(_ request: HTTPServerRequest) -> ReferenceChange? {
        guard let id = market(request, "market"), let isOn = flag(request, "on") else {
            return nil
        }
        if isOn == false { return .noAlerts(id) }
        let seconds = request.parameter("seconds").map(Int.init) ?? Self.defaultAlertSeconds
        guard let seconds, Self.alertSeconds.contains(seconds),
            let type = word(request, "type", usual: SimulatedReference.alertTypes[0]),
            let step = word(request, "step", usual: SimulatedReference.alertSteps[0])
        else { return nil }
        return .alert(id, type: type, step: step, lasting: .seconds(seconds))
    }

    /// Reads a flag.
    ///
    /// The outer nil means malformed text, the inner one no text.
    private func flag(_ request: HTTPServerRequest, _ name: String) -> Bool?? {
        switch request.parameter(name) {
        case nil: .some(nil)
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// Reads a word of capital letters and underscores, as the exchange uses them.
    private func word(_ request: HTTPServerRequest, _ name: String, usual: String) -> String? {
        guard let text = request.parameter(name) else { return usual }
        let isWord =
            (1...Self.wordBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || byte == UInt8(ascii: "_")
            }
        return isWord ? text : nil
    }
}
