import HTTPServer
import Synchronization

/// Counts what clients and tokens ask for, and says when it is too much.
final class RateLimits: Sendable {
    /// Clients and tokens that are remembered; when full, those that asked longest ago are
    /// forgotten, and have a whole quota when they come again.
    static let entriesMax = 65_536

    /// Whose quota it is.
    enum Key: Sendable, Hashable {
        /// A client: an address, of IPv6 the network of 64 bits that one household has.
        case client(UInt128)
        /// A token that opens something, by a hash that is another in each process.
        case token(Int)

        /// The key of a client.
        init(_ address: NetworkAddress) {
            self = .client(
                address.isIPv4 ? address.bits : (address.bits >> 64) << 64
            )
        }
    }

    /// What is counted.
    enum Kind: Sendable, Hashable {
        /// Any request.
        case request
        /// One that was answered with 304.
        case notModified
    }

    private struct Buckets {
        var requests = TokenBucket()
        var notModified = TokenBucket()
    }

    private let rules: ServiceRules
    private let table = Mutex(BoundedTable<Key, Buckets>(entriesMax: RateLimits.entriesMax))

    /// Nobody has asked yet.
    init(rules: ServiceRules) {
        self.rules = rules
    }

    /// Takes one from a quota.
    ///
    /// - Parameters:
    ///   - kind: what of.
    ///   - key: whose.
    ///   - now: nanoseconds on a clock that never goes back.
    /// - Returns: what is left.
    func take(_ kind: Kind, of key: Key, at now: Int64) -> TokenBucket.Taken {
        let quota = quota(kind, of: key)
        return table.withLock { table in
            var buckets = table[key] ?? Buckets()
            let taken =
                switch kind {
                case .request: buckets.requests.take(from: quota, at: now)
                case .notModified: buckets.notModified.take(from: quota, at: now)
                }
            table[key] = buckets
            return taken
        }
    }

    /// Whether anything is left of either quota: if not, a question is not even looked at.
    func hasAny(of key: Key, at now: Int64) -> Bool {
        table.withLock { table in
            guard let buckets = table[key] else { return true }
            return buckets.requests.hasAny(of: quota(.request, of: key), at: now)
                || buckets.notModified.hasAny(of: quota(.notModified, of: key), at: now)
        }
    }

    private func quota(_ kind: Kind, of key: Key) -> RateQuota {
        switch (kind, key) {
        case (.request, .client): RateQuota(count: rules.requestsPerClient)
        case (.request, .token): RateQuota(count: rules.requestsPerToken)
        case (.notModified, _): RateQuota(count: rules.notModifiedPerClient)
        }
    }
}
