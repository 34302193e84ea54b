internal import Synchronization

/// How many connections there are, and of whom.
final class ConnectionCounts: Sendable {
    private struct Counts {
        var all = 0
        /// By the networks that are one client's.
        var byClient: [NetworkAddress: Int] = [:]
    }

    private let allMax: Int
    private let perClientMax: Int
    private let counts = Mutex(Counts())

    init(_ limits: HTTPServer.Configuration) {
        allMax = max(1, limits.connectionsMax)
        perClientMax = max(1, limits.connectionsPerClientMax)
    }

    /// Whether one more may be taken from the system's queue.
    var hasRoom: Bool { counts.withLock { $0.all < allMax } }

    /// Counts a connection that was taken; false if its client has too many.
    func enter(_ client: NetworkAddress) -> Bool {
        let client = client.network
        return counts.withLock { counts in
            let own = counts.byClient[client, default: 0]
            guard own < perClientMax else { return false }
            counts.byClient[client] = own + 1
            counts.all += 1
            return true
        }
    }

    /// Forgets a connection; whether there was no room before.
    func leave(_ client: NetworkAddress) -> Bool {
        let client = client.network
        return counts.withLock { counts in
            let own = counts.byClient[client, default: 0]
            counts.byClient[client] = own > 1 ? own - 1 : nil
            counts.all -= 1
            return counts.all == allMax - 1
        }
    }
}
