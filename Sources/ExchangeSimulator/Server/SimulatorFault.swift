public import Domain

/// A fault on request, to test how clients react.
///
/// Most faults last until they are ended, ``suspension(_:)`` and ``refusedCode(_:)`` for several
/// coins; ``connectionDrop``, ``listing(_:)``, ``delisting(_:)``
/// and ``codeReuse(_:code:)`` happen once. Broken frames are sent in addition to the right ones,
/// so a client that skips them has the right state.
public enum SimulatorFault: Sendable, Hashable {
    /// Every n-th stream frame is sent again truncated to half; every n-th REST body is truncated
    /// to half.
    case truncatedJSON(every: Int)
    /// Every n-th stream frame is sent again with an object as price; every n-th REST body has an
    /// object as price.
    case wrongTypes(every: Int)
    /// Every n-th stream frame is sent again with a symbol that is not listed.
    case unknownSymbols(every: Int)
    /// A coin is described by an empty list and not traded; ending the fault relists the coin.
    case suspension(MarketID)
    /// REST answers with this HTTP status, 500...599, and a text.
    case serverError(status: Int)
    /// REST answers with status 200 and an HTML page, as a proxy does.
    case htmlBodies
    /// REST answers with HTTP status 429.
    case tooManyRequests
    /// REST answers with the exchange's status 5600 in a body of HTTP status 200.
    case refusal5600
    /// REST answers are delayed.
    case latency(milliseconds: Int)
    /// New stream connections are accepted but get no greeting.
    case greetingWithheld
    /// Stream connections stay open, but nothing is sent, not even greetings and answers.
    case stall
    /// Every stream connection ends without a close frame.
    case connectionDrop
    /// A coin is listed: its key appears and it trades.
    case listing(MarketID)
    /// A coin is delisted: an empty list describes it and it stops trading.
    case delisting(MarketID)
    /// API 1.x is switched off: REST answers 404, its stream refuses connections with 404 and
    /// drops the open ones.
    case api1Off
    /// API 2.x is switched off, as ``api1Off``.
    case api2Off
    /// The stream of API 1.x stays open, but nothing is sent; frames of this time are lost.
    case stream1Stall
    /// The stream of API 2.x stays open, but nothing is sent; frames of this time are lost.
    case stream2Stall
    /// A quote currency is removed with all its markets; ending the fault restores them.
    case quoteRemoval(Quote)
    /// A coin gets the code of another one, which is delisted; the coin keeps its name, price and
    /// history.
    case codeReuse(MarketID, code: MarketID)
    /// Charts have no rows for some minutes, as after maintenance; longer rows keep their figures.
    case candleHole(minutesAgo: Int, minutes: Int)
    /// A page of trades of API 2.x begins with the trade at its cursor, not behind it.
    case inclusiveCursor
    /// Trades have a time on the stream of API 2.x that is one millisecond later than in REST.
    case shiftedStreamTimes
    /// Trades have ids on the stream of API 2.x as before 2025-09-16: those of REST.
    case oldStreamIDs
    /// A request on the stream of API 2.x is answered by a frame of a change before those of the
    /// state.
    case realtimeFirst
    /// A request on the stream of API 2.x that replaces another is followed by two frames that only
    /// the old one wanted.
    case lateFrames
    /// Sums in tickers of API 2.x have 26 decimals, as far as 36 digits reach.
    case longNumbers
    /// Tickers on the stream of API 2.x have null as date of delisting, and every other one none.
    case noDelistingDates
    /// Tickers of API 2.x in REST have true times, not nine hours ahead.
    case trueTickerTimes
    /// A market is listed by `market/all` of API 2.x and refused by `ticker`.
    case refusedCode(MarketID)
    /// The stream of API 1.x refuses connections with 404 and drops the open ones; REST goes on.
    case stream1Gone
    /// The stream of API 2.x is gone, as ``stream1Gone``.
    case stream2Gone

    /// A fault's name without its numbers, as used by control requests.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// See ``SimulatorFault/truncatedJSON(every:)``.
        case truncatedJSON
        /// See ``SimulatorFault/wrongTypes(every:)``.
        case wrongTypes
        /// See ``SimulatorFault/unknownSymbols(every:)``.
        case unknownSymbols
        /// See ``SimulatorFault/suspension(_:)``.
        case suspension
        /// See ``SimulatorFault/serverError(status:)``.
        case serverError
        /// See ``SimulatorFault/htmlBodies``.
        case htmlBodies
        /// See ``SimulatorFault/tooManyRequests``.
        case tooManyRequests
        /// See ``SimulatorFault/refusal5600``.
        case refusal5600
        /// See ``SimulatorFault/latency(milliseconds:)``.
        case latency
        /// See ``SimulatorFault/greetingWithheld``.
        case greetingWithheld
        /// See ``SimulatorFault/stall``.
        case stall
        /// See ``SimulatorFault/connectionDrop``.
        case connectionDrop
        /// See ``SimulatorFault/listing(_:)``.
        case listing
        /// See ``SimulatorFault/delisting(_:)``.
        case delisting
        /// See ``SimulatorFault/api1Off``.
        case api1Off
        /// See ``SimulatorFault/api2Off``.
        case api2Off
        /// See ``SimulatorFault/stream1Stall``.
        case stream1Stall
        /// See ``SimulatorFault/stream2Stall``.
        case stream2Stall
        /// See ``SimulatorFault/quoteRemoval(_:)``.
        case quoteRemoval
        /// See ``SimulatorFault/codeReuse(_:code:)``.
        case codeReuse
        /// See ``SimulatorFault/candleHole(minutesAgo:minutes:)``.
        case candleHole
        /// See ``SimulatorFault/inclusiveCursor``.
        case inclusiveCursor
        /// See ``SimulatorFault/shiftedStreamTimes``.
        case shiftedStreamTimes
        /// See ``SimulatorFault/oldStreamIDs``.
        case oldStreamIDs
        /// See ``SimulatorFault/realtimeFirst``.
        case realtimeFirst
        /// See ``SimulatorFault/lateFrames``.
        case lateFrames
        /// See ``SimulatorFault/longNumbers``.
        case longNumbers
        /// See ``SimulatorFault/noDelistingDates``.
        case noDelistingDates
        /// See ``SimulatorFault/trueTickerTimes``.
        case trueTickerTimes
        /// See ``SimulatorFault/refusedCode(_:)``.
        case refusedCode
        /// See ``SimulatorFault/stream1Gone``.
        case stream1Gone
        /// See ``SimulatorFault/stream2Gone``.
        case stream2Gone
    }

    /// The name of this fault.
    public var kind: Kind {
        switch self {
        case .truncatedJSON: .truncatedJSON
        case .wrongTypes: .wrongTypes
        case .unknownSymbols: .unknownSymbols
        case .suspension: .suspension
        case .serverError: .serverError
        case .htmlBodies: .htmlBodies
        case .tooManyRequests: .tooManyRequests
        case .refusal5600: .refusal5600
        case .latency: .latency
        case .greetingWithheld: .greetingWithheld
        case .stall: .stall
        case .connectionDrop: .connectionDrop
        case .listing: .listing
        case .delisting: .delisting
        case .api1Off: .api1Off
        case .api2Off: .api2Off
        case .stream1Stall: .stream1Stall
        case .stream2Stall: .stream2Stall
        case .quoteRemoval: .quoteRemoval
        case .codeReuse: .codeReuse
        case .candleHole: .candleHole
        case .inclusiveCursor: .inclusiveCursor
        case .shiftedStreamTimes: .shiftedStreamTimes
        case .oldStreamIDs: .oldStreamIDs
        case .realtimeFirst: .realtimeFirst
        case .lateFrames: .lateFrames
        case .longNumbers: .longNumbers
        case .noDelistingDates: .noDelistingDates
        case .trueTickerTimes: .trueTickerTimes
        case .refusedCode: .refusedCode
        case .stream1Gone: .stream1Gone
        case .stream2Gone: .stream2Gone
        }
    }
}
