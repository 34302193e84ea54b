import HTTPServer
import NetworkAddresses
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

    /// A quota of a client or token.
    enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// Units of requests.
        case request
        /// Requests answered with 304.
        case notModified
        /// Look-ups of tokens in the store that found no valid one.
        case unknownToken
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

    /// Charges units to a quota.
    ///
    /// - Parameters:
    ///   - units: what is charged.
    ///   - kind: the quota.
    ///   - account: the owner's account.
    ///   - now: nanoseconds of a monotonic clock.
    /// - Returns: whether the quota allows the request, and what is left.
    func acquire(
        _ units: Int,
        _ kind: Kind,
        of account: RateAccount,
        at now: Int64
    ) -> TokenBucket.Charge {
        let quota = quota(kind, of: account.key)
        return account.change(kind) { $0.acquire(units, from: quota, at: now) }
    }

    /// Gives units back to a quota; returns what is left.
    func refund(
        _ units: Int,
        _ kind: Kind,
        to account: RateAccount,
        at now: Int64
    ) -> TokenBucket.Charge {
        let quota = quota(kind, of: account.key)
        return account.change(kind) { $0.refund(units, to: quota, at: now) }
    }

    private func quota(_ kind: Kind, of key: Key) -> RateQuota {
        switch (kind, key) {
        case (.request, .client): RateQuota(count: configuration.requestsPerClient)
        case (.request, .token): RateQuota(count: configuration.requestsPerToken)
        case (.notModified, _): RateQuota(count: configuration.notModifiedPerClient)
        case (.unknownToken, _): RateQuota(count: configuration.unknownTokensPerClient)
        }
    }
}

/// The buckets of one client or token; lock-free.
final class RateAccount: Sendable {
    let key: RateLimits.Key

    /// ``TokenBucket/fullAt`` of the bucket of each ``RateLimits/Kind``.
    private let fullAt = InlineArray<3, Atomic<Int64>> { _ in Atomic(TokenBucket().fullAt) }

    init(_ key: RateLimits.Key) {
        self.key = key
    }

    /// The state of a bucket.
    func bucket(_ kind: RateLimits.Kind) -> TokenBucket {
        TokenBucket(fullAt: fullAt[kind.rawValue].load(ordering: .relaxed))
    }

    fileprivate func change(
        _ kind: RateLimits.Kind,
        _ body: (inout TokenBucket) -> TokenBucket.Charge
    ) -> TokenBucket.Charge {
        while true {
            let old = bucket(kind)
            var new = old
            let charge = body(&new)
            if new == old { return charge }
            let isChanged = fullAt[kind.rawValue].compareExchange(
                expected: old.fullAt,
                desired: new.fullAt,
                ordering: .relaxed
            ).exchanged
            if isChanged { return charge }
        }
    }
}
