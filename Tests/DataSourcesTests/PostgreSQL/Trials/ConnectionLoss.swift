import TestSupport

/// Where a call's connection to the server breaks.
enum ConnectionLoss: CaseIterable, Sendable {
    /// Before the server received anything.
    case before
    /// In a request, between two or in one, before its last byte.
    case inRequest
    /// In an answer, or between two.
    case inAnswer
    /// When the server had done everything, before it answered anything.
    case after

    /// Orders a relay to break the connections of the next call.
    func arm(_ relay: FaultyRelay, using random: inout SeededGenerator) {
        switch self {
        case .before: relay.cut(after: 0, bytesFrom: .clients)
        case .inRequest:
            relay.cut(after: Self.length(using: &random), bytesFrom: .clients)
        case .inAnswer: relay.cut(after: Self.length(using: &random), bytesFrom: .server)
        case .after: relay.cut(after: 0, bytesFrom: .server)
        }
    }

    /// A number of bytes: of a part of a statement, of a statement, or of several.
    private static func length(using random: inout SeededGenerator) -> Int {
        let most = [60, 600, 6_000][Int.random(in: 0..<3, using: &random)]
        return Int.random(in: 1..<most, using: &random)
    }
}
