import Domain

/// Which users' deliveries are looked up, wait or are in flight.
///
/// A user is looked up, in backoff, queued or in flight; `slow` and `lookUpAfterFlight` only mark
/// users. So the size is bounded by the number of webhooks, and by the alerts of one batch for
/// users without a webhook.
struct WebhookSchedule: Sendable {
    /// Users whose next delivery is looked up as soon as possible, in order.
    private var lookups: [UserID] = []
    private var awaitingLookup: Set<UserID> = []
    /// The ends of the backoffs of users.
    private var backoffs: [UserID: Timestamp] = [:]
    /// No backoff ends before; nil if there is none.
    private var earliestBackoffEnd: Timestamp?
    /// Users who wait for a slot of their lane, in order.
    private var queues: [WebhookLane: [UserID]] = [:]
    private var queued: Set<UserID> = []
    /// Users with a request in flight, or with an outcome that is not recorded.
    private var inFlight: Set<UserID> = []
    /// Those of them who are to be looked up afterwards, whatever the outcome.
    private var lookUpAfterFlight: Set<UserID> = []
    /// Users whose receivers took long to answer the last time.
    private var slow: Set<UserID> = []
    private var used: [WebhookLane: Int] = [:]

    /// Number of users in flight.
    var inFlightCount: Int { inFlight.count }
    /// Whether users wait to be looked up.
    var hasLookups: Bool { !lookups.isEmpty }
    /// Number of users in backoff or waiting for a slot.
    var waitingCount: Int { backoffs.count + queued.count }

    /// Asks for look-ups; users in flight are looked up afterwards.
    mutating func lookUp(_ users: [UserID]) {
        for user in users where !queued.contains(user) {
            if inFlight.contains(user) {
                lookUpAfterFlight.insert(user)
                continue
            }
            backoffs[user] = nil
            if awaitingLookup.insert(user).inserted { lookups.append(user) }
        }
    }

    /// Forgets everything but what is in flight, as at the end of a term: the next leader learns
    /// anew which receivers are slow.
    mutating func forgetWaiting() {
        lookups = []
        awaitingLookup = []
        backoffs = [:]
        earliestBackoffEnd = nil
        queues = [:]
        queued = []
        slow = []
    }

    /// Takes the users to look up now: as many queued ones as their lanes have free slots, then at
    /// most `max` of those asked for and of those whose backoff is over.
    mutating func takeLookups(at now: Timestamp, max: Int) -> [UserID] {
        expireBackoffs(at: now)
        var users: [UserID] = []
        for lane in WebhookLane.allCases {
            let free = WebhookDispatcher.laneMax - used[lane, default: 0]
            let next = queues[lane, default: []].prefix(free)
            queues[lane]?.removeFirst(next.count)
            queued.subtract(next)
            users += next
        }
        let asked = lookups.prefix(max)
        lookups.removeFirst(asked.count)
        awaitingLookup.subtract(asked)
        return users + asked
    }

    private mutating func expireBackoffs(at now: Timestamp) {
        guard let first = earliestBackoffEnd, first <= now else { return }
        let ended = backoffs.filter { $0.value <= now }
        lookUp(ended.sorted { ($0.value, $0.key.number) < ($1.value, $1.key.number) }.map(\.key))
        earliestBackoffEnd = backoffs.values.min()
    }

    private mutating func backOff(_ user: UserID, until end: Timestamp) {
        backoffs[user] = end
        earliestBackoffEnd = min(earliestBackoffEnd ?? end, end)
    }

    /// Starts a delivery if its time has come and its lane has a free slot; else its user waits.
    ///
    /// - Returns: the lane, of which it occupies a slot until ``free(_:of:isQuick:)``; nil if it
    ///   waits.
    mutating func start(
        _ delivery: WebhookDelivery,
        at now: Timestamp,
        laneMax: Int
    ) -> WebhookLane? {
        let user = delivery.user
        guard !inFlight.contains(user), !queued.contains(user) else { return nil }
        if let end = delivery.notBefore, end > now {
            backOff(user, until: end)
            return nil
        }
        let lane = lane(of: delivery)
        guard used[lane, default: 0] < laneMax else {
            queues[lane, default: []].append(user)
            queued.insert(user)
            return nil
        }
        used[lane, default: 0] += 1
        inFlight.insert(user)
        return lane
    }

    private func lane(of delivery: WebhookDelivery) -> WebhookLane {
        switch delivery.failuresInRow {
        case 0?: slow.contains(delivery.user) ? .unproven : .working
        case nil, 1?, 2?: .unproven
        default: .failing
        }
    }

    /// Frees a slot of a lane.
    mutating func free(_ lane: WebhookLane, of user: UserID, isQuick: Bool) {
        used[lane, default: 0] -= 1
        if isQuick { slow.remove(user) } else { slow.insert(user) }
    }

    /// Ends what was in flight, whose outcome is recorded if there is one.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - end: no attempt before; nil if the receiver accepted the alert.
    mutating func end(_ user: UserID, backoffUntil end: Timestamp?) {
        inFlight.remove(user)
        // The store knows whether the webhook was replaced meanwhile, which ends the backoff.
        if lookUpAfterFlight.remove(user) == nil, let end {
            backOff(user, until: end)
        } else {
            lookUp([user])
        }
    }
}
