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
            self = .client(address.network.bits)
        }
    }

    /// What is counted.
    enum Kind: Sendable, Hashable {
        /// Any request.
        case request
        /// One that was answered with 304.
        case notModified
    }

    private let rules: ServiceConfiguration
    private let table = Mutex(BoundedTable<Key, RateAccount>(entriesMax: RateLimits.entriesMax))

    /// Nobody has asked yet.
    init(rules: ServiceConfiguration) {
        self.rules = rules
    }

    /// What a client or token has left; whole for one that is not remembered.
    ///
    /// Looking it up is a use. Whoever holds on to it takes from it without a lock, and has to look
    /// it up again within a second: it may be forgotten meanwhile.
    func account(of key: Key) -> RateAccount {
        table.withLock { table in
            let account = table[key] ?? RateAccount(key)
            table[key] = account
            return account
        }
    }

    /// Takes one from a quota.
    ///
    /// - Parameters:
    ///   - kind: what of.
    ///   - account: whose.
    ///   - now: nanoseconds on a clock that never goes back.
    /// - Returns: what is left.
    func take(_ kind: Kind, of account: RateAccount, at now: Int64) -> TokenBucket.Taken {
        account.take(kind, from: quota(kind, of: account.key), at: now)
    }

    /// Whether anything is left of either quota: if not, a question is not even looked at.
    func hasAny(of account: RateAccount, at now: Int64) -> Bool {
        [Kind.request, .notModified].contains { kind in
            account.bucket(kind).hasAny(of: quota(kind, of: account.key), at: now)
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

/// What one client or token has left of its quotas; any thread takes from it without a lock.
final class RateAccount: Sendable {
    /// Whose it is.
    let key: RateLimits.Key

    // When each bucket is full again: all that there is to a bucket.
    private let requestsFullAt = Atomic<Int64>(TokenBucket().fullAt)
    private let notModifiedFullAt = Atomic<Int64>(TokenBucket().fullAt)

    /// Nothing was taken yet.
    init(_ key: RateLimits.Key) {
        self.key = key
    }

    /// A bucket as it is.
    func bucket(_ kind: RateLimits.Kind) -> TokenBucket {
        switch kind {
        case .request: TokenBucket(fullAt: requestsFullAt.load(ordering: .relaxed))
        case .notModified: TokenBucket(fullAt: notModifiedFullAt.load(ordering: .relaxed))
        }
    }

    fileprivate func take(
        _ kind: RateLimits.Kind,
        from quota: RateQuota,
        at now: Int64
    ) -> TokenBucket.Taken {
        while true {
            let old = bucket(kind)
            var new = old
            let taken = new.take(from: quota, at: now)
            if new == old || replace(kind, old, new) { return taken }
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
