import Synchronization

/// Who looks at which details: counted, so that the last one to leave ends the interest.
///
/// Screens hold a ``DetailLease`` as long as they show something. Readers without a session, such
/// as single HTTP requests, glance: their interest ends by itself some time after the last one.
public final class DetailInterests: Sendable {
    /// How many different interests there may be at a time.
    ///
    /// Every market of the exchange with its parts and two intervals fits. When full, a new
    /// interest is refused until another one ends.
    public static let interestsMax = 4_096
    /// How long a glance counts.
    public static let glanceDuration: Duration = .seconds(60)

    private struct State {
        var counts: [DetailInterest: Int] = [:]
        var glances: [DetailInterest: Timestamp] = [:]
        var listeners: [@Sendable () -> Void] = []

        var wanted: Set<DetailInterest> { Set(counts.keys).union(glances.keys) }
    }

    private let state = Mutex(State())

    /// Nobody looks at anything.
    public init() {}

    /// Everything that somebody looks at.
    public var wanted: Set<DetailInterest> { state.withLock { $0.wanted } }

    /// Begins to look; ends when the lease is released or given up.
    ///
    /// - Returns: nil if there are ``interestsMax`` interests already.
    public func enter(_ interests: Set<DetailInterest>) -> DetailLease? {
        let isTaken = change { state in
            let new = interests.count { state.counts[$0] == nil }
            guard state.counts.count + state.glances.count + new <= Self.interestsMax else {
                return false
            }
            for interest in interests { state.counts[interest, default: 0] += 1 }
            return true
        }
        return isTaken ? DetailLease(interests: interests, register: self) : nil
    }

    /// Looks once, which counts for ``glanceDuration``.
    ///
    /// - Returns: false if there are ``interestsMax`` interests already.
    public func glance(at interests: Set<DetailInterest>, now: Timestamp) -> Bool {
        change { state in
            let new = interests.count { state.glances[$0] == nil }
            guard state.counts.count + state.glances.count + new <= Self.interestsMax else {
                return false
            }
            let end = now.advanced(by: Self.glanceDuration)
            for interest in interests {
                state.glances[interest] = max(end, state.glances[interest] ?? end)
            }
            return true
        }
    }

    /// Forgets glances that are over; meant to be called every second or so.
    public func expire(now: Timestamp) {
        change { state in
            state.glances = state.glances.filter { $0.value > now }
            return true
        }
    }

    /// Calls `listener` after what is wanted has changed; it must return at once.
    ///
    /// Meant for the one feed that a composition root wires up before anything runs.
    public func onChange(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    fileprivate func leave(_ interests: Set<DetailInterest>) {
        change { state in
            for interest in interests {
                guard let count = state.counts[interest] else { continue }
                state.counts[interest] = count > 1 ? count - 1 : nil
            }
            return true
        }
    }

    @discardableResult
    private func change(_ body: (inout State) -> Bool) -> Bool {
        let (result, listeners) = state.withLock { state in
            let before = state.wanted
            let result = body(&state)
            return (result, state.wanted == before ? [] : state.listeners)
        }
        for listener in listeners { listener() }
        return result
    }
}

/// An interest that is held until it is released.
public final class DetailLease: Sendable {
    /// What is looked at.
    public let interests: Set<DetailInterest>
    private let register: DetailInterests
    private let isReleased = Mutex(false)

    fileprivate init(interests: Set<DetailInterest>, register: DetailInterests) {
        self.interests = interests
        self.register = register
    }

    deinit { release() }

    /// Ends the interest; further calls do nothing.
    public func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { register.leave(interests) }
    }
}
