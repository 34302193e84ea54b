import TestSupport

/// The moment of a call at which its connection to the server breaks.
enum ConnectionLoss: CaseIterable, Sendable {
    /// Before the server received anything.
    case before
    /// Before the last byte of one of the call's requests.
    case inRequest
    /// In one of the answers, or between two.
    case inAnswer
    /// Before one of the answers, which may be that of the call's commit.
    case beforeAnswer

    /// The number of answers of the longest calls.
    private static let answersMax = 6

    /// Orders a relay to break the connections of the next call.
    func arm(_ relay: FaultyRelay, using random: inout SeededGenerator) {
        switch self {
        case .before: relay.cut(after: 0, bytesFrom: .clients)
        case .inRequest:
            relay.cut(after: Self.length(using: &random), bytesFrom: .clients)
        case .inAnswer: relay.cut(after: Self.length(using: &random), bytesFrom: .server)
        case .beforeAnswer:
            relay.cut(afterAnswers: Int.random(in: 0..<Self.answersMax, using: &random))
        }
    }

    /// A number of bytes: of a part of a statement, of a statement, or of several.
    private static func length(using random: inout SeededGenerator) -> Int {
        let most = [60, 600, 6_000][Int.random(in: 0..<3, using: &random)]
        return Int.random(in: 1..<most, using: &random)
    }
}
