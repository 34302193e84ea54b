public import Domain

/// Something that goes wrong on request, to see what clients make of it.
///
/// Most last until they are ended; ``connectionDrop``, ``listing(_:)`` and ``delisting(_:)`` happen
/// once. Broken frames come in addition to the right ones, so that a client which skips them ends
/// up with the right state.
public enum SimulatorFault: Sendable, Hashable {
    /// Every so many stream frames one is sent again, cut in half; every so many REST bodies one is
    /// cut in half.
    case truncatedJSON(every: Int)
    /// Every so many stream frames one is sent again with an object for a price; every so many
    /// REST bodies one has an object for a price.
    case wrongTypes(every: Int)
    /// Every so many stream frames one is sent again under a symbol that no list has.
    case unknownSymbols(every: Int)
    /// A coin is described by an empty list and is not traded; ending it brings the coin back.
    case suspension(MarketID)
    /// REST is answered with this HTTP status, 500...599, and a text.
    case serverError(status: Int)
    /// REST is answered with status 200 and an HTML page, as a proxy in between does.
    case htmlBodies
    /// REST is refused with HTTP status 429.
    case tooManyRequests
    /// REST is refused with the exchange's status 5600 in a body of HTTP status 200.
    case refusal5600
    /// REST answers come so much later.
    case latency(milliseconds: Int)
    /// New stream connections are accepted but not greeted.
    case greetingWithheld
    /// Stream connections stay open, but nothing is sent on them, greetings and answers included.
    case stall
    /// Every stream connection ends without a close frame.
    case connectionDrop
    /// A coin is listed: its key appears and it trades.
    case listing(MarketID)
    /// A coin is taken off: it is described by an empty list and trades no more.
    case delisting(MarketID)

    /// The name of a fault without its figures, as control requests write it.
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
        }
    }
}
