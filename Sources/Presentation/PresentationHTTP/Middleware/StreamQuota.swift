import Domain
import HTTPServer
import Synchronization

/// Limits the open streams of each user, and of each client without a token.
///
/// Bound: one entry per open stream at most.
final class StreamQuota: Sendable {
    /// The client or user to whom a stream is charged.
    enum Owner: Sendable, Hashable {
        case user(UserID)
        /// A client without a token.
        case client(RateLimits.Key)
        /// This process.
        case process
    }

    private let streamsMax: Int
    private let open = Mutex<[Owner: Int]>([:])

    /// Makes a quota.
    ///
    /// - Parameter streamsMax: concurrent streams of one owner.
    init(streamsMax: Int) {
        self.streamsMax = streamsMax
    }

    /// How many owners have open streams.
    var ownerCount: Int { open.withLock { $0.count } }

    /// Charges a stream; false if the owner has as many as allowed.
    func acquire(_ owner: Owner) -> Bool {
        open.withLock { open in
            let count = open[owner, default: 0]
            guard count < streamsMax else { return false }
            open[owner] = count + 1
            return true
        }
    }

    /// Releases a stream.
    func release(_ owner: Owner) {
        open.withLock { open in
            guard let count = open[owner] else { return }
            open[owner] = count > 1 ? count - 1 : nil
        }
    }
}
