internal import NetworkAddresses
internal import Synchronization

/// Counts open connections, in all and per client.
final class ConnectionCounts: Sendable {
    private struct Counts {
        var total = 0
        /// By ``NetworkAddress/network``.
        var byClient: [NetworkAddress: Int] = [:]
    }

    private let totalMax: Int
    private let perClientMax: Int
    private let counts = Mutex(Counts())

    init(_ limits: HTTPServer.Configuration) {
        totalMax = max(1, limits.connectionsMax)
        perClientMax = max(1, limits.connectionsPerClientMax)
    }

    /// Whether another connection may be accepted.
    var hasCapacity: Bool { counts.withLock { $0.total < totalMax } }

    /// Counts an accepted connection; false if its client has too many.
    func acquire(_ client: NetworkAddress) -> Bool {
        let client = client.network
        return counts.withLock { counts in
            let own = counts.byClient[client, default: 0]
            guard own < perClientMax else { return false }
            counts.byClient[client] = own + 1
            counts.total += 1
            return true
        }
    }

    /// Removes a closed connection; true if the server was full before.
    func release(_ client: NetworkAddress) -> Bool {
        let client = client.network
        return counts.withLock { counts in
            let own = counts.byClient[client, default: 0]
            counts.byClient[client] = own > 1 ? own - 1 : nil
            counts.total -= 1
            return counts.total == totalMax - 1
        }
    }
}
