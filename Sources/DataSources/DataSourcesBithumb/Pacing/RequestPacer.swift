/// The categories of requests, each with an allowance of its own at the exchange.
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

/// The request rate of a category.
public struct RequestRate: Sendable, Hashable {
    /// Requests a second in the long run.
    public let perSecond: Int
    /// Requests that may go at once after an idle time.
    public let burst: Int
    /// How long a category is paused after the exchange refused it.
    public let pause: Duration

    /// Two thirds of the exchange's limit, which leaves room for other clients of the same address.
    ///
    /// The limit is 150 a second and at once, by address and category (docs v1.2.0 "API 요청 수 제한
    /// 안내", seen 2026-11). How long the exchange blocks is not published: the pause is a guess.
    public static let exchangeDefault = RequestRate(
        perSecond: 100,
        burst: 100,
        pause: .seconds(60)
    )

    /// Makes a rate; the numbers are positive.
    public init(perSecond: Int, burst: Int, pause: Duration) {
        precondition(perSecond > 0 && burst > 0, "A rate is positive.")
        precondition(pause > .zero, "A pause is positive.")
        self.perSecond = perSecond
        self.burst = burst
        self.pause = pause
    }
}

/// Decides when a request may go: a pure state machine with one token bucket for each category.
///
/// In any span of time at most `perSecond` × span + `burst` requests of a category go; categories
/// do not delay each other. Time is passed in: a monotonic duration since any fixed moment.
///
/// A bucket is one number: the time of its next token if all others were taken (the generic cell
/// rate algorithm, ITU-T I.371). It is exact and needs no refill.
public struct RequestPacer: Sendable {
    /// Whether a request may go.
    public enum Answer: Sendable, Hashable {
        /// Now; the token is taken.
        case go
        /// After this time; no token is taken.
        case wait(Duration)
        /// The category is paused until that time, on the scale of `now`; no token is taken.
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
        // Rounded up: a rate that does not divide the second must not become faster.
        let second: Int64 = 1_000_000_000_000_000_000
        let (whole, rest) = second.quotientAndRemainder(dividingBy: Int64(rate.perSecond))
        interval = Duration(
            secondsComponent: 0,
            attosecondsComponent: rest == 0 ? whole : whole + 1
        )
    }

    /// Takes a token if one is left.
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

    /// Applies the exchange's count of remaining requests (`x-ratelimit-remaining`).
    ///
    /// The bucket keeps at most that many tokens, because other clients of the same address use the
    /// same allowance. It never gains tokens.
    public mutating func note(remaining: Int, _ category: RequestCategory, at now: Duration) {
        guard remaining < rate.burst else { return }
        trim(category, to: max(remaining, 0), at: now)
    }

    /// Pauses a category whose request was refused for its rate; it restarts with one token.
    ///
    /// - Returns: the end of the pause, on the scale of `now`.
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
