import DataSourceContracts

/// The leases of an in-memory store, one for each feed.
struct StoredLeases {
    private var held: [String: (lease: LeaseDTO, until: Int64)] = [:]
    private var lastEpochs: [String: Int64] = [:]

    /// The lease of a feed that is held at a time.
    func inForce(feed: String, at time: Int64) -> LeaseDTO? {
        held[feed].flatMap { $0.until > time ? $0.lease : nil }
    }

    /// Whether a lease is held at a time.
    func isHeld(_ lease: LeaseDTO, at time: Int64) -> Bool {
        inForce(feed: lease.feed, at: time) == lease
    }

    /// Acquires the lease of a feed if no other holder has it.
    mutating func take(
        holder: String,
        feed: String,
        for duration: Duration,
        at time: Int64
    ) -> LeaseDTO? {
        if let present = held[feed], present.until > time, present.lease.holder != holder,
            present.until <= time + 10 * duration.microseconds
        {
            return nil
        }
        lastEpochs[feed, default: 0] += 1
        let epoch = lastEpochs[feed, default: 0]
        let lease = LeaseDTO(feed: feed, holder: holder, epoch: epoch)
        held[feed] = (lease, time + duration.microseconds)
        return lease
    }

    /// Renews a lease; false if it is lost.
    mutating func renew(_ lease: LeaseDTO, for duration: Duration, at time: Int64) -> Bool {
        guard isHeld(lease, at: time) else { return false }
        held[lease.feed] = (lease, time + duration.microseconds)
        return true
    }

    /// Gives a lease back if it is still held.
    mutating func release(_ lease: LeaseDTO) {
        if held[lease.feed]?.lease == lease { held[lease.feed] = nil }
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
