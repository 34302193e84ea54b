/// What the exchange counts requests by: each category has an allowance of its own.
public enum RequestCategory: Sendable, Hashable, CaseIterable {
    /// Candlesticks.
    case candles
    /// Order books.
    case orderbook
    /// Tickers.
    case ticker
    /// Transaction histories.
    case trades
    /// Everything else.
    case other
}

/// How many requests a category may make.
public struct RequestRate: Sendable, Hashable {
    /// Requests a second in the long run.
    public let perSecond: Int
    /// Requests that may go at once after a rest.
    public let burst: Int
    /// How long a category rests after the exchange refused it.
    public let pause: Duration

    /// Two thirds of what the exchange grants, so that others behind the same address have room.
    ///
    /// It grants 150 a second and at once, by address and category (docs v1.2.0 "API 요청 수 제한
    /// 안내", seen 2026-11). How long it blocks is not published: the pause is a guess.
    public static let exchangeDefault = RequestRate(
        perSecond: 100,
        burst: 100,
        pause: .seconds(60)
    )

    /// Makes a rate; the numbers are positive.
    public init(perSecond: Int, burst: Int, pause: Duration) {
        precondition(perSecond > 0 && burst > 0, "A rate lets something through.")
        precondition(pause > .zero, "A pause lasts.")
        self.perSecond = perSecond
        self.burst = burst
        self.pause = pause
    }
}

/// Decides when a request may go: a pure state machine with one token bucket for each category.
///
/// In any span of time a category lets through at most `perSecond` × span + `burst` requests; one
/// category never delays another. Time is passed in: a monotonic duration since any fixed moment.
///
/// A bucket is one number, the moment its next token would be due had all of them been taken (the
/// generic cell rate algorithm, ITU-T I.371): exact, with nothing to refill.
public struct RequestPacer: Sendable {
    /// Whether a request may go.
    public enum Answer: Sendable, Hashable {
        /// Now; its token is taken.
        case go
        /// Not before this much time has passed; nothing is taken.
        case wait(Duration)
        /// The category rests until that moment, on the scale of `now`; nothing is taken.
        case paused(until: Duration)
    }

    private struct Bucket: Sendable {
        var due: Duration?
        var pausedUntil: Duration?
    }

    private let rate: RequestRate
    private let interval: Duration
    private var buckets: [RequestCategory: Bucket] = [:]

    /// Makes a pacer whose buckets are full.
    public init(rate: RequestRate = .exchangeDefault) {
        self.rate = rate
        // Rounded up: a rate that does not divide the second must not come out faster.
        let second: Int64 = 1_000_000_000_000_000_000
        let (whole, rest) = second.quotientAndRemainder(dividingBy: Int64(rate.perSecond))
        interval = Duration(
            secondsComponent: 0,
            attosecondsComponent: rest == 0 ? whole : whole + 1
        )
    }

    /// Takes a token if there is one.
    public mutating func request(_ category: RequestCategory, at now: Duration) -> Answer {
        var bucket = buckets[category, default: Bucket()]
        if let until = bucket.pausedUntil {
            guard now >= until else { return .paused(until: until) }
            bucket.pausedUntil = nil
        }
        let due = max(bucket.due ?? now, now)
        let allowed = due - interval * (rate.burst - 1)
        guard allowed <= now else { return .wait(allowed - now) }
        bucket.due = due + interval
        buckets[category] = bucket
        return .go
    }

    /// Hears from the exchange how many requests it would still take (`x-ratelimit-remaining`).
    ///
    /// The bucket keeps no more tokens than that: others behind the same address use the same
    /// allowance. It never gains any.
    public mutating func note(remaining: Int, _ category: RequestCategory, at now: Duration) {
        guard remaining < rate.burst else { return }
        trim(category, to: max(remaining, 0), at: now)
    }

    /// Hears that the exchange refused a request for coming too often: the category rests, and then
    /// begins with a single token.
    ///
    /// - Returns: the moment it may ask again, on the scale of `now`.
    @discardableResult
    public mutating func pause(_ category: RequestCategory, at now: Duration) -> Duration {
        let until = max(buckets[category]?.pausedUntil ?? now, now + rate.pause)
        trim(category, to: 1, at: until)
        buckets[category, default: Bucket()].pausedUntil = until
        return until
    }

    private mutating func trim(_ category: RequestCategory, to tokens: Int, at now: Duration) {
        let due = now + interval * (rate.burst - tokens)
        let current = buckets[category, default: Bucket()].due ?? due
        buckets[category, default: Bucket()].due = max(current, due)
    }
}
