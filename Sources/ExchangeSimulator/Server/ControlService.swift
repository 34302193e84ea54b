import Domain
import FoundationEssentials
import HTTPServer

/// Answers `/simulator/…`: the report, pausing, the faults, the list of markets and the clock.
///
/// - `GET report`: a ``SimulatorReport``.
/// - `POST pause`, `POST resume`: answered with the report.
/// - `GET faults`: what is in force.
/// - `POST faults`: a command as query (`?kind=latency&milliseconds=300`, `?kind=latency&on=false`,
///   `?kind=all&on=false`) or as JSON, one object or a list of them, with the same names.
/// - `POST list?market=NEW_KRW`, `POST suspend?market=…`, `POST delist?market=…`,
///   `POST rename?market=OLD_KRW&to=NEW_KRW`: changes of the list, answered with the report.
/// - `POST asset?coin=XRP&deposit=false&withdrawal=true`: opens or stops one half or both;
///   `POST warning?market=XRP_KRW&on=true`: 유의; `POST alert?market=XRP_KRW&type=…&step=…&seconds=…`
///   and `POST alert?market=XRP_KRW&on=false`: 경보. Answered with the report.
/// - `POST midnight?seconds=15`: sets the market's clock to so long before 00:00 in Seoul, answered
///   with the report.
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
            ("POST", "/simulator/midnight"):
            if let problem = changeMarkets(request) { return problem }
        case ("POST", "/simulator/asset"), ("POST", "/simulator/warning"),
            ("POST", "/simulator/alert"):
            if let problem = changeReference(request) { return problem }
        case (_, "/simulator/report"), (_, "/simulator/faults"), (_, "/simulator/pause"),
            (_, "/simulator/resume"), (_, "/simulator/list"), (_, "/simulator/suspend"),
            (_, "/simulator/delist"), (_, "/simulator/rename"), (_, "/simulator/midnight"),
            (_, "/simulator/asset"), (_, "/simulator/warning"), (_, "/simulator/alert"):
            return problem(405, "use GET for report and faults, POST to change something")
        default:
            return problem(
                404,
                "there are /simulator/report, faults, pause, resume, list, suspend, delist, "
                    + "rename, midnight, asset, warning and alert"
            )
        }
        return json(simulator.report())
    }

    private func faults() -> HTTPServerResponse {
        json(["faults": simulator.faults.map(Command.init)])
    }

    private func change(_ request: HTTPServerRequest) -> HTTPServerResponse {
        guard let commands = commands(of: request) else {
            return problem(400, "send kind=… as query, or an object or list of objects as JSON")
        }
        // All are read before the first is carried out.
        var changes: [Change] = []
        for command in commands {
            guard let change = Change(command) else {
                let kinds = SimulatorFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                return problem(
                    400,
                    "kind is one of \(kinds), or all with on=false; counts are every, status, "
                        + "milliseconds; coins are market=BTC_KRW"
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
                    market: request.parameter("market")
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

extension SimulatorFault {
    /// How many messages lie between two broken ones if the command does not say.
    private static let defaultEvery = 10

    /// Reads a command; nil if a figure it needs is missing.
    init?(_ kind: Kind, _ command: ControlService.Command) {
        let market = command.market.flatMap { MarketID(anySpelling: $0) }
        let every = command.every ?? Self.defaultEvery
        switch kind {
        case .truncatedJSON: self = .truncatedJSON(every: every)
        case .wrongTypes: self = .wrongTypes(every: every)
        case .unknownSymbols: self = .unknownSymbols(every: every)
        case .serverError: self = .serverError(status: command.status ?? 500)
        case .htmlBodies: self = .htmlBodies
        case .tooManyRequests: self = .tooManyRequests
        case .refusal5600: self = .refusal5600
        case .latency:
            guard let milliseconds = command.milliseconds else { return nil }
            self = .latency(milliseconds: milliseconds)
        case .greetingWithheld: self = .greetingWithheld
        case .stall: self = .stall
        case .connectionDrop: self = .connectionDrop
        case .suspension:
            guard let market else { return nil }
            self = .suspension(market)
        case .listing:
            guard let market else { return nil }
            self = .listing(market)
        case .delisting:
            guard let market else { return nil }
            self = .delisting(market)
        }
    }
}

extension ControlService.Command {
    /// Writes a fault as the command that starts it.
    init(_ fault: SimulatorFault) {
        self.init(kind: fault.kind.rawValue, on: true)
        switch fault {
        case .truncatedJSON(let every), .wrongTypes(let every), .unknownSymbols(let every):
            self.every = every
        case .serverError(let status): self.status = status
        case .latency(let milliseconds): self.milliseconds = milliseconds
        case .suspension(let id), .listing(let id), .delisting(let id): market = id.name
        case .htmlBodies, .tooManyRequests, .refusal5600, .greetingWithheld, .stall,
            .connectionDrop:
            break
        }
    }
}
