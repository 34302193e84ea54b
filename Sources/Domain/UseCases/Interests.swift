public import Domain
import Synchronization

/// Something that clients can be interested in.
public protocol InterestKey: Sendable, Hashable {
    /// Whether the interest needs much memory; see ``Interests/heavyTouchesMax``.
    var isHeavy: Bool { get }
}

/// A client without a session, told apart from others so that none takes the room of all.
public struct InterestClient: Sendable, Hashable {
    private let key: Int

    /// Makes a client.
    ///
    /// - Parameter owner: who pays for the client's requests. Two owners with one hash share a
    ///   share.
    public init(_ owner: some Hashable) { key = owner.hashValue }
}

/// Reference-counted interests of clients: the last client to leave closes an interest.
///
/// Screens hold an ``InterestLease`` while they show something. Clients without a session, such as
/// single HTTP requests, touch an interest, which then expires after ``touchDuration``.
public final class Interests<Interest: InterestKey>: Sendable {
    /// Maximum number of different interests.
    ///
    /// Enough for every market of the exchange with its parts and two intervals. On overflow new
    /// interests are refused.
    public static var interestsMax: Int { 4_096 }
    /// Maximum number of heavy interests that only requests have touched.
    ///
    /// Half of the markets with candles of one interval: about 180 MB with the 5,000 stored candles
    /// that a chart begins with at most. On overflow the client who has touched the most loses the
    /// one touched longest ago. The next request for it waits for REST again.
    public static var heavyTouchesMax: Int { 256 }
    /// How long a touched interest stays open.
    public static var touchDuration: Duration { .seconds(60) }

    /// The clients of one interest.
    private struct Viewers {
        var leases = 0
        var touchedUntil: Timestamp?
        /// The client of the newest touch.
        var toucher: InterestClient?

        var isEmpty: Bool { leases == 0 && touchedUntil == nil }

        /// Whether the touch ends later than another.
        func isTouchedAfter(_ other: Self) -> Bool {
            guard let touchedUntil, let end = other.touchedUntil else { return touchedUntil != nil }
            return touchedUntil > end
        }
    }

    private struct State {
        var viewers: [Interest: Viewers] = [:]
        var listeners: [@Sendable () -> Void] = []
        /// Whether the wanted or held interests changed since the listeners were called.
        var isChanged = false

        /// Whether all of the interests fit.
        func hasRoom(for interests: Set<Interest>) -> Bool {
            let new = interests.count { viewers[$0] == nil }
            return viewers.count + new <= Interests.interestsMax
        }

        /// Closes touched heavy interests until the bound holds: the oldest of the client that has
        /// the most.
        ///
        /// - Parameters:
        ///   - interests: just touched by the client; they stay.
        ///   - client: the client that touched them.
        mutating func endHeavyTouches(but interests: Set<Interest>, of client: InterestClient?) {
            let touched = viewers.filter { interest, viewers in
                interest.isHeavy && viewers.leases == 0 && !interests.contains(interest)
            }
            let ownCount = interests.count { $0.isHeavy }
            let excess = touched.count + ownCount - Interests.heavyTouchesMax
            guard excess > 0 else { return }
            var shares = Dictionary(grouping: touched) { $0.value.toucher }.mapValues { share in
                // The newest first.
                share.sorted { $0.value.isTouchedAfter($1.value) }.map(\.key)
            }
            for _ in 0..<excess {
                let most = shares.max { one, other in
                    one.value.count + (one.key == client ? ownCount : 0)
                        < other.value.count + (other.key == client ? ownCount : 0)
                }
                guard let most, let old = shares[most.key]?.popLast() else { return }
                if shares[most.key]?.isEmpty == true { shares[most.key] = nil }
                change(old) { $0.touchedUntil = nil }
            }
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

    /// No interests.
    public init() {}

    /// All open interests.
    public var wanted: Set<Interest> { state.withLock { Set($0.viewers.keys) } }

    /// Interests held by a lease, such as by a screen.
    public var held: Set<Interest> {
        state.withLock { state in
            var held: Set<Interest> = []
            for (interest, viewers) in state.viewers where viewers.leases > 0 {
                held.insert(interest)
            }
            return held
        }
    }

    /// Opens interests until the lease is released or deinitialized.
    ///
    /// - Returns: nil if ``interestsMax`` would be exceeded.
    public func enter(_ interests: Set<Interest>) -> InterestLease<Interest>? {
        let isTaken = change { state in
            guard state.hasRoom(for: interests) else { return false }
            for interest in interests { state.change(interest) { $0.leases += 1 } }
            return true
        }
        return isTaken ? InterestLease(interests: interests, register: self) : nil
    }

    /// Keeps interests open for ``touchDuration``.
    ///
    /// - Parameters:
    ///   - interests: the interests.
    ///   - client: the client to whose share they belong from now on; nil shares among all without.
    ///   - now: the time of the touch.
    /// - Returns: false if ``interestsMax`` would be exceeded.
    public func touch(
        _ interests: Set<Interest>,
        by client: InterestClient? = nil,
        now: Timestamp
    ) -> Bool {
        change { state in
            guard state.hasRoom(for: interests) else { return false }
            let isNew = interests.contains { $0.isHeavy && state.viewers[$0] == nil }
            let end = now.advanced(by: Self.touchDuration)
            for interest in interests {
                state.change(interest) { viewers in
                    viewers.touchedUntil = max(end, viewers.touchedUntil ?? end)
                    viewers.toucher = client
                }
            }
            if isNew { state.endHeavyTouches(but: interests, of: client) }
            return true
        }
    }

    /// Closes expired interests; to be called about once a second.
    public func expire(now: Timestamp) {
        change { state in
            for (interest, viewers) in state.viewers {
                guard let end = viewers.touchedUntil, end <= now else { continue }
                state.change(interest) { $0.touchedUntil = nil }
            }
            return true
        }
    }

    /// Calls `listener` after the wanted or held interests have changed.
    ///
    /// The listener must return at once.
    ///
    /// Intended for the one feed that the composition root registers at the start.
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
        // Outside the lock, because a listener may read the interests.
        for listener in listeners { listener() }
        return result
    }
}

/// Interests held open until released.
public final class InterestLease<Interest: InterestKey>: Sendable {
    /// The interests.
    public let interests: Set<Interest>
    private let register: Interests<Interest>
    private let isReleased = Mutex(false)

    fileprivate init(interests: Set<Interest>, register: Interests<Interest>) {
        self.interests = interests
        self.register = register
    }

    deinit { release() }

    /// Releases the interests; further calls have no effect.
    public func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { register.leave(interests) }
    }
}
