import Domain
import HTTPServer
import Synchronization

/// Counts the open streams of each user, and of each client without a token.
///
/// Bounded by the server's connections: each stream has one.
final class StreamQuota: Sendable {
    /// Who sits there.
    enum Owner: Sendable, Hashable {
        /// Whoever has a token.
        case user(UserID)
        /// Whoever has none, as limits of requests count clients.
        case client(RateLimits.Key)
    }

    private let seatsMax: Int
    private let taken = Mutex<[Owner: Int]>([:])

    /// Makes seats.
    ///
    /// - Parameter seatsMax: how many an owner may have at a time.
    init(seatsMax: Int) {
        self.seatsMax = seatsMax
    }

    /// How many owners have any.
    var ownerCount: Int { taken.withLock { $0.count } }

    /// Takes a seat; false if the owner has as many as may be.
    func take(_ owner: Owner) -> Bool {
        taken.withLock { taken in
            let count = taken[owner, default: 0]
            guard count < seatsMax else { return false }
            taken[owner] = count + 1
            return true
        }
    }

    /// Gives a seat back.
    func leave(_ owner: Owner) {
        taken.withLock { taken in
            guard let count = taken[owner] else { return }
            taken[owner] = count > 1 ? count - 1 : nil
        }
    }
}
