import HTTPServer
import Synchronization

/// The request quotas of clients and tokens.
final class RateLimits: Sendable {
    /// Clients and tokens with an account; the least recently used are evicted and start again with
    /// a full quota.
    static let entriesMax = 65_536

    /// The owner of a quota.
    enum Key: Sendable, Hashable {
        /// A client by ``NetworkAddress/network``.
        case client(UInt128)
        /// A valid token, by its hash, which is seeded per process.
        case token(Int)

        /// The key of a client.
        init(_ address: NetworkAddress) {
            self = .client(address.network.bits)
        }
    }

    /// The quota of a request.
    enum Kind: Sendable, Hashable {
        /// Requests.
        case request
        /// Requests answered with 304.
        case notModified
    }

    private let configuration: ServiceConfiguration
    private let table = Mutex(BoundedTable<Key, RateAccount>(entriesMax: RateLimits.entriesMax))

    init(configuration: ServiceConfiguration) {
        self.configuration = configuration
    }

    /// The account of a client or token; a new one has full quotas.
    func account(of key: Key) -> RateAccount {
        table.withLock { table in
            let account = table[key] ?? RateAccount(key)
            table[key] = account
            return account
        }
    }

    /// Charges one request to a quota.
    ///
    /// - Parameters:
    ///   - kind: the quota.
    ///   - account: the owner's account.
    ///   - now: nanoseconds of a monotonic clock.
    /// - Returns: whether the quota allows the request, and what is left.
    func acquire(_ kind: Kind, of account: RateAccount, at now: Int64) -> TokenBucket.Charge {
        account.acquire(kind, from: quota(kind, of: account.key), at: now)
    }

    /// Whether either quota has a request left.
    func hasAny(of account: RateAccount, at now: Int64) -> Bool {
        [Kind.request, .notModified].contains { kind in
            account.bucket(kind).hasAny(of: quota(kind, of: account.key), at: now)
        }
    }

    private func quota(_ kind: Kind, of key: Key) -> RateQuota {
        switch (kind, key) {
        case (.request, .client): RateQuota(count: configuration.requestsPerClient)
        case (.request, .token): RateQuota(count: configuration.requestsPerToken)
        case (.notModified, _): RateQuota(count: configuration.notModifiedPerClient)
        }
    }
}

/// The buckets of one client or token; lock-free.
final class RateAccount: Sendable {
    let key: RateLimits.Key

    // ``TokenBucket/fullAt`` of each bucket.
    private let requestsFullAt = Atomic<Int64>(TokenBucket().fullAt)
    private let notModifiedFullAt = Atomic<Int64>(TokenBucket().fullAt)

    init(_ key: RateLimits.Key) {
        self.key = key
    }

    /// The state of a bucket.
    func bucket(_ kind: RateLimits.Kind) -> TokenBucket {
        switch kind {
        case .request: TokenBucket(fullAt: requestsFullAt.load(ordering: .relaxed))
        case .notModified: TokenBucket(fullAt: notModifiedFullAt.load(ordering: .relaxed))
        }
    }

    fileprivate func acquire(
        _ kind: RateLimits.Kind,
        from quota: RateQuota,
        at now: Int64
    ) -> TokenBucket.Charge {
        while true {
            let old = bucket(kind)
            var new = old
            let charge = new.acquire(from: quota, at: now)
            if new == old || replace(kind, old, new) { return charge }
        }
    }

    private func replace(_ kind: RateLimits.Kind, _ old: TokenBucket, _ new: TokenBucket) -> Bool {
        switch kind {
        case .request:
            requestsFullAt.compareExchange(
                expected: old.fullAt,
                desired: new.fullAt,
                ordering: .relaxed
            ).exchanged
        case .notModified:
            notModifiedFullAt.compareExchange(
                expected: old.fullAt,
                desired: new.fullAt,
                ordering: .relaxed
            ).exchanged
        }
    }
}
