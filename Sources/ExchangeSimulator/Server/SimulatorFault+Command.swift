import Domain

extension SimulatorFault {
    /// Default distance of two broken messages.
    private static let defaultEvery = 10
    /// A hole of half an hour that ended half an hour ago.
    private static let defaultMinutesAgo = 60
    private static let defaultMinutes = 30

    /// Reads a command; nil if a required number is missing.
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
        case .quoteRemoval:
            guard let quote = command.quote.flatMap({ Quote(rawValue: $0.uppercased()) }) else {
                return nil
            }
            self = .quoteRemoval(quote)
        case .codeReuse:
            guard let market, let code = command.to.flatMap({ MarketID(anySpelling: $0) }),
                market.quote == code.quote, market != code
            else { return nil }
            self = .codeReuse(market, code: code)
        case .candleHole:
            self = .candleHole(
                minutesAgo: command.minutesAgo ?? Self.defaultMinutesAgo,
                minutes: command.minutes ?? Self.defaultMinutes
            )
        case .api1Off: self = .api1Off
        case .api2Off: self = .api2Off
        case .stream1Stall: self = .stream1Stall
        case .stream2Stall: self = .stream2Stall
        case .inclusiveCursor: self = .inclusiveCursor
        case .shiftedStreamTimes: self = .shiftedStreamTimes
        case .oldStreamIDs: self = .oldStreamIDs
        case .realtimeFirst: self = .realtimeFirst
        case .lateFrames: self = .lateFrames
        case .longNumbers: self = .longNumbers
        case .noDelistingDates: self = .noDelistingDates
        case .trueTickerTimes: self = .trueTickerTimes
        case .stream1Gone: self = .stream1Gone
        case .stream2Gone: self = .stream2Gone
        case .refusedCode:
            guard let market else { return nil }
            self = .refusedCode(market)
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
        case .suspension(let id), .listing(let id), .delisting(let id), .refusedCode(let id):
            market = id.name
        case .quoteRemoval(let removed): quote = removed.rawValue
        case .codeReuse(let id, let code): (market, to) = (id.name, code.name)
        case .candleHole(let first, let count): (minutesAgo, minutes) = (first, count)
        case .htmlBodies, .tooManyRequests, .refusal5600, .greetingWithheld, .stall,
            .connectionDrop, .api1Off, .api2Off, .stream1Stall, .stream2Stall, .inclusiveCursor,
            .shiftedStreamTimes, .oldStreamIDs, .realtimeFirst, .lateFrames, .longNumbers,
            .noDelistingDates,
            .trueTickerTimes, .stream1Gone, .stream2Gone:
            break
        }
    }
}
