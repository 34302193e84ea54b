/// How much of something may be had: so many in a minute, all of which may come at once.
struct RateQuota: Sendable, Hashable {
    /// The time in which it fills up, in nanoseconds.
    static let windowNanoseconds: Int64 = 60_000_000_000
    /// The same in seconds, as `RateLimit-Policy` tells it.
    static let windowSeconds = 60

    /// How many in that time, 1...1,000,000,000.
    let count: Int

    /// The time in which one comes back, in nanoseconds: 60 at the least.
    var intervalNanoseconds: Int64 { Self.windowNanoseconds / Int64(count) }
}

/// What is left of a quota: a bucket that fills up steadily.
///
/// It is kept as the moment at which it will be full again (the generic cell rate algorithm), so
/// that it is one number and nothing has to run: an empty value is a full bucket.
struct TokenBucket: Sendable, Hashable {
    /// What taking one came to.
    struct Taken: Sendable, Hashable {
        /// Whether there was one; if not, nothing was taken.
        var isAllowed: Bool
        /// How many are left.
        var remaining: Int
        /// When all are there again, in whole seconds, rounded up.
        var fullInSeconds: Int
        /// When the next one is there, in whole seconds, rounded up, 1 at the least.
        var nextInSeconds: Int
    }

    /// When it is full again, in nanoseconds on a clock that never goes back.
    private(set) var fullAt: Int64

    /// A bucket that will be full at a moment; one of the past is full.
    init(fullAt: Int64 = .min) {
        self.fullAt = fullAt
    }

    /// Whether there is one to take.
    func hasAny(of quota: RateQuota, at now: Int64) -> Bool {
        debt(at: now) + quota.intervalNanoseconds <= RateQuota.windowNanoseconds
    }

    /// Takes one, if there is one.
    mutating func take(from quota: RateQuota, at now: Int64) -> Taken {
        let isAllowed = hasAny(of: quota, at: now)
        if isAllowed { fullAt = now + debt(at: now) + quota.intervalNanoseconds }
        return look(at: now, quota, isAllowed: isAllowed)
    }

    /// What is left, without taking any.
    private func look(at now: Int64, _ quota: RateQuota, isAllowed: Bool) -> Taken {
        let debt = debt(at: now)
        let room = RateQuota.windowNanoseconds - debt
        let wait = quota.intervalNanoseconds - room
        return Taken(
            isAllowed: isAllowed,
            remaining: Int(max(0, room / quota.intervalNanoseconds)),
            fullInSeconds: Self.seconds(debt),
            nextInSeconds: max(1, Self.seconds(wait))
        )
    }

    /// What is missing, as the time in which it comes back.
    private func debt(at now: Int64) -> Int64 { fullAt > now ? fullAt - now : 0 }

    private static func seconds(_ nanoseconds: Int64) -> Int {
        Int((max(0, nanoseconds) + 999_999_999) / 1_000_000_000)
    }
}
