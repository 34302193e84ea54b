import DataSourceContracts

/// When the lease on writing candles is asked for, and whether it is held: the rules, without a
/// store and without a clock.
///
/// All times are monotonic, since any fixed moment. A lease counts from when it was asked for: the
/// store's clock began later, so that it is held there at least as long as it is thought to be
/// held here. What this cannot know, as when the process was stopped for a while, the store says:
/// it checks the lease with every write.
struct LeaseStateMachine: Sendable {
    /// How long a lease is held without being renewed.
    static let duration: Duration = .seconds(3)
    /// How far apart renewals are.
    static let renewInterval: Duration = .seconds(1)
    /// How far apart attempts are to take the lease: with it, a leader that is gone is followed
    /// by another within 3.25 seconds and a round trip.
    static let askInterval: Duration = .milliseconds(250)
    /// How soon a renewal that failed is tried again.
    static let retryInterval: Duration = .milliseconds(250)
    /// How long a call may take: one that was lost on the way leaves time for another.
    static let callLimit: Duration = .seconds(1)

    /// What to do next.
    enum Action: Sendable, Hashable {
        /// Try to take the lease.
        case take
        /// Renew this one.
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
    /// Whether another holds the lease, as far as the store told.
    private(set) var isLedByAnother = false
    /// Whether this process does not ask who leads: it has nothing to write.
    private(set) var isOut = false

    /// The lease, as long as it is certain to be held.
    func lease(at now: Duration) -> LeaseDTO? {
        held.flatMap { now < $0.until ? $0.lease : nil }
    }

    /// Decides what to do.
    mutating func next(at now: Duration) -> Action {
        if let held, now >= held.until {
            // Nobody else may have taken it: whoever asks first gets it.
            self.held = nil
            askAt = now
        }
        guard now >= askAt else { return .wait(until: min(askAt, held?.until ?? askAt)) }
        return held.map { .renew($0.lease) } ?? .take
    }

    /// Notes the answer to an attempt; nil is that another holds the lease.
    ///
    /// - Parameters:
    ///   - lease: the answer.
    ///   - askedAt: when it was asked for.
    ///   - now: when the answer came. One that was so long under way is worth nothing any more.
    mutating func took(_ lease: LeaseDTO?, askedAt: Duration, at now: Duration) {
        isLedByAnother = lease == nil
        isOut = false
        guard let lease, now < askedAt + Self.duration else {
            askAt = lease == nil ? now + Self.askInterval : now
            return
        }
        held = Held(lease: lease, until: askedAt + Self.duration)
        askAt = askedAt + Self.renewInterval
    }

    /// Notes the answer to a renewal; false is that the lease is lost.
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

    /// Notes that a call came to nothing: who holds the lease is not known.
    mutating func failed(at now: Duration) {
        isLedByAnother = false
        isOut = false
        askAt = now + (held == nil ? Self.askInterval : Self.retryInterval)
    }

    /// Leaves leading to others: there is nothing that this process could write.
    mutating func stayOut() {
        isLedByAnother = true
        isOut = true
    }

    /// Notes that the store refused a write of this lease, or that it is given back.
    mutating func lose(_ lease: LeaseDTO, at now: Duration) {
        guard held?.lease == lease else { return }
        held = nil
        isLedByAnother = true
        askAt = now + Self.askInterval
    }
}
