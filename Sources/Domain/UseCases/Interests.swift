public import Domain
import Synchronization

/// What somebody may look at.
public protocol InterestKey: Sendable, Hashable {
    /// Whether so much is held for it that single looks at many of them are not all remembered:
    /// ``Interests/heavyTouchesMax``.
    var isHeavy: Bool { get }
}

/// Who looks at what: counted, so that the last one to leave ends the interest.
///
/// Screens hold a ``InterestLease`` as long as they show something. Readers without a session, such as
/// single HTTP requests, glance: their interest ends by itself some time after the last one.
public final class Interests<Interest: InterestKey>: Sendable {
    /// How many different interests there may be at a time.
    ///
    /// Every market of the exchange with its parts and two intervals fits. When full, a new
    /// interest is refused until another one ends.
    public static var interestsMax: Int { 4_096 }
    /// How many heavy interests there may be that nobody but single requests has.
    ///
    /// Half of the markets with their candles of one interval: with the 3,000 that the exchange
    /// tells of each some 110 MB. When there are more, the one that was asked for longest ago ends
    /// before its time; whoever asks for it again waits until it is read again.
    public static var heavyTouchesMax: Int { 256 }
    /// How long a glance counts.
    public static var touchDuration: Duration { .seconds(60) }

    /// Who looks at one thing.
    private struct Viewers {
        var leases = 0
        var glanceEnd: Timestamp?

        var isEmpty: Bool { leases == 0 && glanceEnd == nil }
    }

    private struct State {
        var viewers: [Interest: Viewers] = [:]
        var listeners: [@Sendable () -> Void] = []
        /// Whether what is wanted or held became another since the listeners were called.
        var isChanged = false

        /// Whether there is room for all of them.
        func hasRoom(for interests: Set<Interest>) -> Bool {
            let new = interests.count { viewers[$0] == nil }
            return viewers.count + new <= Interests.interestsMax
        }

        /// Ends the oldest glances at what is heavy, but for those at `interests`, while there are
        /// too many.
        mutating func endHeavyGlances(but interests: Set<Interest>) {
            let glanced = viewers.filter { interest, viewers in
                interest.isHeavy && viewers.leases == 0 && !interests.contains(interest)
            }
            let heavyCount = glanced.count + interests.count { $0.isHeavy }
            let excess = heavyCount - Interests.heavyTouchesMax
            guard excess > 0 else { return }
            let oldest = glanced.compactMap { interest, viewers in
                viewers.glanceEnd.map { (interest: interest, end: $0) }
            }.sorted { $0.end < $1.end }
            for old in oldest.prefix(excess) { change(old.interest) { $0.glanceEnd = nil } }
        }

        mutating func change(_ interest: Interest, _ body: (inout Viewers) -> Void) {
            let before = viewers[interest] ?? Viewers()
            var after = before
            body(&after)
            viewers[interest] = after.isEmpty ? nil : after
            if before.isEmpty != after.isEmpty || (before.leases > 0) != (after.leases > 0) {
                isChanged = true
            }
        }
    }

    private let state = Mutex(State())

    /// Nobody looks at anything.
    public init() {}

    /// Everything that somebody looks at.
    public var wanted: Set<Interest> { state.withLock { Set($0.viewers.keys) } }

    /// What is held by a lease: it stands on a screen.
    public var held: Set<Interest> {
        state.withLock { state in
            var held: Set<Interest> = []
            for (interest, viewers) in state.viewers where viewers.leases > 0 {
                held.insert(interest)
            }
            return held
        }
    }

    /// Begins to look; ends when the lease is released or given up.
    ///
    /// - Returns: nil if there are ``interestsMax`` interests already.
    public func enter(_ interests: Set<Interest>) -> InterestLease<Interest>? {
        let isTaken = change { state in
            guard state.hasRoom(for: interests) else { return false }
            for interest in interests { state.change(interest) { $0.leases += 1 } }
            return true
        }
        return isTaken ? InterestLease(interests: interests, register: self) : nil
    }

    /// Looks once, which counts for ``touchDuration``.
    ///
    /// - Returns: false if there are ``interestsMax`` interests already.
    public func glance(at interests: Set<Interest>, now: Timestamp) -> Bool {
        change { state in
            guard state.hasRoom(for: interests) else { return false }
            let isNew = interests.contains { $0.isHeavy && state.viewers[$0] == nil }
            let end = now.advanced(by: Self.touchDuration)
            for interest in interests {
                state.change(interest) { $0.glanceEnd = max(end, $0.glanceEnd ?? end) }
            }
            if isNew { state.endHeavyGlances(but: interests) }
            return true
        }
    }

    /// Forgets glances that are over; meant to be called every second or so.
    public func expire(now: Timestamp) {
        change { state in
            for (interest, viewers) in state.viewers {
                guard let end = viewers.glanceEnd, end <= now else { continue }
                state.change(interest) { $0.glanceEnd = nil }
            }
            return true
        }
    }

    /// Calls `listener` after what is wanted or held has changed; it must return at once.
    ///
    /// Meant for the one feed that a composition root wires up before anything runs.
    public func onChange(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    fileprivate func leave(_ interests: Set<Interest>) {
        change { state in
            for interest in interests { state.change(interest) { $0.leases -= 1 } }
            return true
        }
    }

    @discardableResult
    private func change(_ body: (inout State) -> Bool) -> Bool {
        let (result, listeners) = state.withLock { state in
            let result = body(&state)
            defer { state.isChanged = false }
            return (result, state.isChanged ? state.listeners : [])
        }
        // Outside of the lock: a listener may ask what is wanted.
        for listener in listeners { listener() }
        return result
    }
}

/// An interest that is held until it is released.
public final class InterestLease<Interest: InterestKey>: Sendable {
    /// What is looked at.
    public let interests: Set<Interest>
    private let register: Interests<Interest>
    private let isReleased = Mutex(false)

    fileprivate init(interests: Set<Interest>, register: Interests<Interest>) {
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
