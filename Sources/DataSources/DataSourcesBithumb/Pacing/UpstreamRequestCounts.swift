public import DataSourceContracts
import Synchronization

/// Counts what became of requests to the exchange, by category.
///
/// Bound: categories times ``outcomesMax``; a status beyond that many different ones is counted as
/// `other`.
public final class UpstreamRequestCounts: Sendable {
    /// What became of a request.
    public enum Outcome: Sendable, Hashable {
        /// It was answered with this HTTP status.
        case status(Int)
        /// There was no complete answer.
        case failure(TransportError.Code)
    }

    /// How often requests of a category came to an outcome.
    public struct Entry: Sendable, Hashable {
        /// The category as a word: `ticker`.
        public let category: String
        /// The status, or why there was no answer, as a word: `200`, `timed_out`.
        public let status: String
        /// How often, since the start.
        public let count: UInt64
    }

    /// How many different outcomes of one category are told apart.
    static let outcomesMax = 24
    private static let other = "other"

    private let counts = Mutex<[RequestCategory: [String: UInt64]]>([:])

    /// Nothing was asked yet.
    public init() {}

    /// Counts a request; one that was given up by whoever asked is none.
    func count(_ category: RequestCategory, _ outcome: Outcome) {
        guard let word = Self.word(outcome) else { return }
        counts.withLock { counts in
            let known = counts[category, default: [:]]
            let isFull = known[word] == nil && known.count >= Self.outcomesMax
            counts[category, default: [:]][isFull ? Self.other : word, default: 0] += 1
        }
    }

    /// Everything counted since the start, in the order of categories and words.
    public var entries: [Entry] {
        let counts = counts.withLock { $0 }
        return RequestCategory.allCases.flatMap { category in
            counts[category, default: [:]].sorted { $0.key < $1.key }.map {
                Entry(category: "\(category)", status: $0.key, count: $0.value)
            }
        }
    }

    private static func word(_ outcome: Outcome) -> String? {
        switch outcome {
        case .status(let status): String(status)
        case .failure(let code):
            switch code {
            case .badAddress: "bad_address"
            case .nameNotResolved, .cannotConnect: "unreachable"
            case .proxy: "proxy"
            case .untrusted: "untrusted"
            case .timedOut: "timed_out"
            case .closed: "disconnected"
            case .protocolViolation: "malformed"
            case .tooLarge: "too_large"
            case .cancelled: nil
            case .other: other
            }
        }
    }
}
