/// The parsers that are fuzzed, by the names that `HOGA_FUZZ_TARGET` selects.
public enum FuzzTarget: String, Sendable, CaseIterable {
    case alerts
    case configurations
    case decimals
    case eventStreams = "event-streams"
    case exchangeBodies = "exchange-bodies"
    case exchangeFrames = "exchange-frames"
    case forms
    case httpBodies = "http-bodies"
    case httpHeads = "http-heads"
    case imports
    case json
    case patches
    case queries
    case recordings
    case terminalInput = "terminal-input"
    case userRequests = "user-requests"
    case webSocketFrames = "websocket-frames"
    case webSocketHandshakes = "websocket-handshakes"

    /// Parses one input and checks the properties of the target.
    ///
    /// - Throws: the property that does not hold.
    public func judge(_ bytes: [UInt8]) throws(FuzzFinding) {
        let input = FuzzInput(bytes)
        switch self {
        case .alerts: try judgeAlerts(input)
        case .configurations: try judgeConfigurations(input)
        case .decimals: try judgeDecimals(input)
        case .eventStreams: try judgeEventStreams(input)
        case .exchangeBodies: try judgeExchangeBodies(input)
        case .exchangeFrames: try judgeExchangeFrames(input)
        case .forms: try judgeForms(input)
        case .httpBodies: try judgeHTTPBodies(input)
        case .httpHeads: try judgeHTTPHeads(input)
        case .imports: try judgeImports(input)
        case .json: try judgeJSON(input)
        case .patches: try judgePatches(input)
        case .queries: try judgeQueries(input)
        case .recordings: try judgeRecordings(input)
        case .terminalInput: try judgeTerminalInput(input)
        case .userRequests: try judgeUserRequests(input)
        case .webSocketFrames: try judgeWebSocketFrames(input)
        case .webSocketHandshakes: try judgeWebSocketHandshakes(input)
        }
    }
}

/// A property of a parser that an input breaks.
public struct FuzzFinding: Error, Sendable, CustomStringConvertible {
    /// The property and the values that differ.
    public let description: String

    /// Makes a finding.
    init(_ description: String) {
        self.description = description
    }
}

/// Throws a finding unless a property holds.
func require(
    _ holds: Bool,
    _ property: @autoclosure () -> String
) throws(FuzzFinding) {
    if !holds { throw FuzzFinding(property()) }
}

/// Throws a finding unless two values are equal.
func requireEqual<Value: Equatable>(
    _ found: Value,
    _ expected: Value,
    _ property: @autoclosure () -> String
) throws(FuzzFinding) {
    if found != expected {
        throw FuzzFinding("\(property()): \(found) instead of \(expected)")
    }
}
