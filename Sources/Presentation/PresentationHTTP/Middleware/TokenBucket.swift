/// A quota of units per minute, all of which may be used at once.
struct RateQuota: Sendable, Hashable {
    /// The time in which an empty bucket fills, in nanoseconds.
    static let windowNanoseconds: Int64 = 60_000_000_000
    /// The same in seconds, for `RateLimit-Policy`.
    static let windowSeconds = 60

    /// Units per window, 1...1,000,000,000.
    let count: Int

    /// The time in which one unit refills, in nanoseconds, 60 or more.
    var intervalNanoseconds: Int64 { Self.windowNanoseconds / Int64(count) }

    /// The time in which some units refill; at most the window, so that a full quota allows any
    /// request.
    fileprivate func nanoseconds(of units: Int) -> Int64 {
        intervalNanoseconds * Int64(min(max(units, 0), count))
    }
}

/// A token bucket that refills steadily.
///
/// Its only state is the time at which it is full again (generic cell rate algorithm), so no timer
/// runs; the initial value is a full bucket.
struct TokenBucket: Sendable, Hashable {
    /// The result of charging a request.
    struct Charge: Sendable, Hashable {
        /// Whether the bucket had enough units left; if not, it is unchanged.
        var isAllowed: Bool
        /// Units left.
        var remaining: Int
        /// Seconds until the bucket is full, rounded up.
        var fullInSeconds: Int
        /// Seconds until the request is allowed, rounded up, 1 or more.
        var nextInSeconds: Int
    }

    /// When the bucket is full, in nanoseconds of a monotonic clock.
    private(set) var fullAt: Int64

    /// Makes a bucket that is full at a time; a time in the past means full.
    init(fullAt: Int64 = .min) {
        self.fullAt = fullAt
    }

    /// Whether some units are left.
    func has(_ units: Int, of quota: RateQuota, at now: Int64) -> Bool {
        debt(at: now) + quota.nanoseconds(of: units) <= RateQuota.windowNanoseconds
    }

    /// Charges a request if enough units are left.
    mutating func acquire(_ units: Int, from quota: RateQuota, at now: Int64) -> Charge {
        let isAllowed = has(units, of: quota, at: now)
        if isAllowed { fullAt = now + debt(at: now) + quota.nanoseconds(of: units) }
        return charge(units, at: now, quota, isAllowed: isAllowed)
    }

    /// Gives units back that were charged before.
    mutating func refund(_ units: Int, to quota: RateQuota, at now: Int64) -> Charge {
        fullAt = now + max(0, debt(at: now) - quota.nanoseconds(of: units))
        return charge(0, at: now, quota, isAllowed: true)
    }

    private func charge(
        _ units: Int,
        at now: Int64,
        _ quota: RateQuota,
        isAllowed: Bool
    ) -> Charge {
        let debt = debt(at: now)
        let room = RateQuota.windowNanoseconds - debt
        let wait = quota.nanoseconds(of: units) - room
        return Charge(
            isAllowed: isAllowed,
            remaining: Int(max(0, room / quota.intervalNanoseconds)),
            fullInSeconds: Self.seconds(debt),
            nextInSeconds: max(1, Self.seconds(wait))
        )
    }

    /// The missing units, as the time in which they refill.
    private func debt(at now: Int64) -> Int64 { fullAt > now ? fullAt - now : 0 }

    private static func seconds(_ nanoseconds: Int64) -> Int {
        Int((max(0, nanoseconds) + 999_999_999) / 1_000_000_000)
    }
}
