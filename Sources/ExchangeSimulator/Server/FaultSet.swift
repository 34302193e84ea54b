import Domain

/// The faults in force.
struct FaultSet: Sendable, Equatable {
    /// Lasting faults by kind; several coins can be suspended or refused at once.
    private var lasting: [SimulatorFault.Kind: SimulatorFault] = [:]
    private(set) var suspended: Set<MarketID> = []
    /// The markets that tickers of API 2.x refuse.
    private(set) var refused: Set<MarketID> = []
    private var restBodies = 0

    /// All of them, in a stable order.
    var all: [SimulatorFault] {
        let coins = suspended.sorted().map(SimulatorFault.suspension)
        return SimulatorFault.Kind.allCases.compactMap { lasting[$0] } + coins
            + refused.sorted().map(SimulatorFault.refusedCode)
    }

    mutating func start(_ fault: SimulatorFault) {
        switch fault {
        case .suspension(let market): suspended.insert(market)
        case .refusedCode(let market): refused.insert(market)
        case .connectionDrop, .listing, .delisting, .codeReuse: break
        case .truncatedJSON, .wrongTypes, .unknownSymbols, .serverError, .htmlBodies,
            .tooManyRequests, .refusal5600, .latency, .greetingWithheld, .stall, .api1Off,
            .api2Off, .stream1Stall, .stream2Stall, .quoteRemoval, .candleHole, .inclusiveCursor,
            .shiftedStreamTimes, .oldStreamIDs, .realtimeFirst, .lateFrames, .longNumbers,
            .noDelistingDates,
            .trueTickerTimes, .stream1Gone, .stream2Gone:
            lasting[fault.kind] = fault
        }
    }

    /// Ends a kind of fault and returns the coins whose suspension ends.
    mutating func end(_ kind: SimulatorFault.Kind) -> Set<MarketID> {
        lasting[kind] = nil
        if kind == .refusedCode { refused = [] }
        guard kind == .suspension else { return [] }
        defer { suspended = [] }
        return suspended
    }

    func isOn(_ kind: SimulatorFault.Kind) -> Bool { lasting[kind] != nil }

    /// The distance of two broken frames or bodies; nil if none are broken.
    func every(_ kind: SimulatorFault.Kind) -> Int? {
        switch lasting[kind] {
        case .truncatedJSON(let every), .wrongTypes(let every), .unknownSymbols(let every):
            max(1, every)
        case .suspension, .serverError, .htmlBodies, .tooManyRequests, .refusal5600, .latency,
            .greetingWithheld, .stall, .connectionDrop, .listing, .delisting, .api1Off, .api2Off,
            .stream1Stall, .stream2Stall, .quoteRemoval, .codeReuse, .candleHole,
            .inclusiveCursor, .shiftedStreamTimes, .oldStreamIDs, .refusedCode,
            .realtimeFirst, .lateFrames, .longNumbers, .noDelistingDates,
            .trueTickerTimes, .stream1Gone, .stream2Gone, nil:
            nil
        }
    }

    /// How trades are identified on the stream of API 2.x.
    var tradeIdentity: StreamTradeIdentity {
        StreamTradeIdentity(
            isOld: isOn(.oldStreamIDs),
            offsetMilliseconds: isOn(.shiftedStreamTimes) ? 1 : 0
        )
    }

    /// How tickers of API 2.x are written.
    var tickerQuirks: MarketTickerQuirks {
        MarketTickerQuirks(
            hasLongNumbers: isOn(.longNumbers),
            hasDelistingDates: !isOn(.noDelistingDates),
            hasTrueTimes: isOn(.trueTickerTimes)
        )
    }

    /// Whether the stream of a version of the API does not exist.
    func isStreamGone(_ api: APIVersion) -> Bool {
        switch api {
        case .v1: isOff(api) || isOn(.stream1Gone)
        case .v2: isOff(api) || isOn(.stream2Gone)
        }
    }

    /// Whether a version of the API is switched off.
    func isOff(_ api: APIVersion) -> Bool {
        switch api {
        case .v1: isOn(.api1Off)
        case .v2: isOn(.api2Off)
        }
    }

    /// Whether the stream of a version of the API sends nothing.
    func isStalled(_ api: APIVersion) -> Bool {
        switch api {
        case .v1: isOn(.stall) || isOn(.stream1Stall)
        case .v2: isOn(.stall) || isOn(.stream2Stall)
        }
    }

    var serverErrorStatus: Int? {
        guard case .serverError(let status) = lasting[.serverError] else { return nil }
        return min(599, max(500, status))
    }

    var latencyMilliseconds: Int? {
        guard case .latency(let milliseconds) = lasting[.latency] else { return nil }
        return max(0, milliseconds)
    }

    /// Counts a REST body and breaks it if it is due.
    mutating func broken(restBody body: [UInt8]) -> [UInt8] {
        restBodies += 1
        if let every = every(.truncatedJSON), restBodies % every == 0 {
            return MessageCorruption.truncated(body)
        }
        if let every = every(.wrongTypes), restBodies % every == 0 {
            return MessageCorruption.wrongTypes(body)
        }
        return body
    }
}

/// Ways to break a message.
enum MessageCorruption: Sendable {
    /// The first half.
    static func truncated(_ body: [UInt8]) -> [UInt8] {
        Array(body[..<(body.count / 2)])
    }

    /// An object as price or name; a number if the message has neither.
    static func wrongTypes(_ body: [UInt8]) -> [UInt8] {
        let keys = [
            #""closePrice":"#, #""contPrice":"#, #""closing_price":"#, #""price":"#,
            #""korean_name":"#, #""warning_type":"#, #""trade_price":"#, #""ask_price":"#,
            #""tp":"#, #""ap":"#,
        ]
        for key in keys {
            if let changed = replacing(valueOf: key, with: #"{"is":[true,7]}"#, in: body) {
                return changed
            }
        }
        return Array("7".utf8)
    }

    /// A symbol that is not listed.
    static func unknownSymbol(_ body: [UInt8]) -> [UInt8] {
        var body = body
        for (key, symbol) in [
            (#""symbol":"#, #""NOSUCH_KRW""#), (#""code":"#, #""KRW-NOSUCH""#),
            (#""cd":"#, #""KRW-NOSUCH""#),
        ] {
            var from = 0
            while let range = valueRange(of: key, in: body, from: from) {
                body.replaceSubrange(range, with: Array(symbol.utf8))
                from = range.lowerBound + symbol.utf8.count
            }
        }
        return body
    }

    private static func replacing(
        valueOf key: String,
        with text: String,
        in body: [UInt8]
    ) -> [UInt8]? {
        guard let range = valueRange(of: key, in: body, from: 0) else { return nil }
        var body = body
        body.replaceSubrange(range, with: Array(text.utf8))
        return body
    }

    /// Range of the text or number after the next such key, including quotes.
    private static func valueRange(of key: String, in body: [UInt8], from: Int) -> Range<Int>? {
        let key = Array(key.utf8)
        guard body.count >= from + key.count else { return nil }
        for start in from...(body.count - key.count)
        where body[start] == key[0] && body[start...].starts(with: key) {
            let open = start + key.count
            guard open < body.count else { return nil }
            guard body[open] == UInt8(ascii: "\"") else {
                let ends = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")]
                return open..<(body[open...].firstIndex(where: ends.contains) ?? body.count)
            }
            guard let close = body[(open + 1)...].firstIndex(of: UInt8(ascii: "\"")) else {
                return nil
            }
            return open..<(close + 1)
        }
        return nil
    }
}
