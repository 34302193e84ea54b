public import DataSourceContracts
import Synchronization

/// Counts the outcomes of requests to the exchange by category.
///
/// Bound: ``outcomesMax`` different outcomes of a category; further ones count as `other`.
public final class UpstreamRequestCounts: Sendable {
    /// The outcome of a request.
    public enum Outcome: Sendable, Hashable {
        /// A response with this HTTP status.
        case status(Int)
        /// No complete response.
        case failure(TransportError.Code)
    }

    /// The count of one outcome of a category.
    public struct Entry: Sendable, Hashable {
        /// The category, such as `ticker`.
        public let category: String
        /// The HTTP status or the failure, such as `200` or `timed_out`.
        public let status: String
        /// The count since the start.
        public let count: UInt64
    }

    /// The different outcomes of one category that are counted separately.
    static let outcomesMax = 24
    private static let other = "other"

    private let counts = Mutex<[RequestCategory: [String: UInt64]]>([:])

    /// Makes counts of zero.
    public init() {}

    /// Counts a request; a cancelled one does not count.
    func count(_ category: RequestCategory, _ outcome: Outcome) {
        guard let word = Self.word(outcome) else { return }
        counts.withLock { counts in
            let known = counts[category, default: [:]]
            let isFull = known[word] == nil && known.count >= Self.outcomesMax
            counts[category, default: [:]][isFull ? Self.other : word, default: 0] += 1
        }
    }

    /// All counts since the start, ordered by category and status.
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
            case .badAddress, .forbiddenAddress: "bad_address"
            case .nameNotResolved, .cannotConnect: "unreachable"
            case .proxy: "proxy"
            case .untrusted: "untrusted"
            case .timedOut: "timed_out"
            case .closed: "disconnected"
            case .upgradeRefused, .protocolViolation: "malformed"
            case .tooLarge: "too_large"
            case .cancelled: nil
            case .other: other
            }
        }
    }
}
