import DataSourceContracts

/// Decides when the lease for writing candles is requested, and whether it is held, without store
/// or clock.
///
/// All times are monotonic. A lease is counted from the time of its request: the store's clock
/// started later, so the store holds it at least as long. If the process was suspended, the store
/// detects an expired lease with the next write.
struct LeaseStateMachine: Sendable {
    /// How long a lease is held without renewal.
    static let duration: Duration = .seconds(3)
    /// Interval of renewals.
    static let renewInterval: Duration = .seconds(1)
    /// Interval of attempts to acquire the lease.
    ///
    /// With it, a lost leader is replaced within 3.25 seconds and a round trip.
    static let askInterval: Duration = .milliseconds(250)
    /// Delay before a failed renewal is repeated.
    static let retryInterval: Duration = .milliseconds(250)
    /// Timeout of a call: a lost one leaves time for another.
    static let callLimit: Duration = .seconds(1)

    /// The next step.
    enum Action: Sendable, Hashable {
        /// Try to acquire the lease.
        case take
        /// Renew this lease.
        case renew(LeaseDTO)
        /// Wait until that time.
        case wait(until: Duration)
    }

    private struct Held: Sendable {
        let lease: LeaseDTO
        var until: Duration
    }

    private var held: Held?
    private var askAt: Duration = .zero
    /// Whether another process holds the lease according to the store.
    private(set) var isLedByAnother = false
    /// Whether this process does not compete for the lease because it has nothing to write.
    private(set) var isAbstaining = false

    /// The lease while it is certainly held.
    func lease(at now: Duration) -> LeaseDTO? {
        held.flatMap { now < $0.until ? $0.lease : nil }
    }

    /// Decides the next step.
    mutating func next(at now: Duration) -> Action {
        if let held, now >= held.until {
            // The lease may still be free: the first request gets it.
            self.held = nil
            askAt = now
        }
        guard now >= askAt else { return .wait(until: min(askAt, held?.until ?? askAt)) }
        return held.map { .renew($0.lease) } ?? .take
    }

    /// Records the answer to an attempt; nil if another process holds the lease.
    ///
    /// - Parameters:
    ///   - lease: the answer.
    ///   - askedAt: when it was requested.
    ///   - now: when the answer arrived. A lease that has expired meanwhile is ignored.
    mutating func took(_ lease: LeaseDTO?, askedAt: Duration, at now: Duration) {
        isLedByAnother = lease == nil
        isAbstaining = false
        guard let lease, now < askedAt + Self.duration else {
            askAt = lease == nil ? now + Self.askInterval : now
            return
        }
        held = Held(lease: lease, until: askedAt + Self.duration)
        askAt = askedAt + Self.renewInterval
    }

    /// Records the answer to a renewal; false if the lease is lost.
    mutating func renewed(
        _ isHeld: Bool,
        _ lease: LeaseDTO,
        askedAt: Duration,
        at now: Duration
    ) {
        guard held?.lease == lease else { return }
        guard isHeld else {
            lose(lease, at: now)
            return
        }
        held?.until = askedAt + Self.duration
        askAt = askedAt + Self.renewInterval
    }

    /// Records a failed call: the holder of the lease is unknown.
    mutating func failed(at now: Duration) {
        isLedByAnother = false
        isAbstaining = false
        askAt = now + (held == nil ? Self.askInterval : Self.retryInterval)
    }

    /// Stops competing for the lease, because this process has nothing to write.
    mutating func abstain() {
        isLedByAnother = true
        isAbstaining = true
    }

    /// Records that the store refused a write of this lease, or that it was released.
    mutating func lose(_ lease: LeaseDTO, at now: Duration) {
        guard held?.lease == lease else { return }
        held = nil
        isLedByAnother = true
        askAt = now + Self.askInterval
    }
}
