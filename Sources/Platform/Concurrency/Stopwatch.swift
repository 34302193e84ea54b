/// Measures the time since it was made, on a clock of any type.
public struct Stopwatch: Sendable {
    private let measure: @Sendable () -> Duration

    /// Starts to measure.
    public init(_ clock: any Clock<Duration>) {
        measure = Self.measure(clock)
    }

    /// The time since the stopwatch was made.
    public var elapsed: Duration { measure() }

    /// Opens the existential once, so that the clock's own instant can be stored.
    private static func measure(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}

/// A moment by which something must be done, on a clock of any type.
public struct Deadline: Sendable {
    private let limit: Duration
    private let stopwatch: Stopwatch

    /// Makes the deadline `limit` from now.
    public init(after limit: Duration, clock: any Clock<Duration>) {
        self.limit = limit
        stopwatch = Stopwatch(clock)
    }

    /// The time that is left, never negative.
    public var remaining: Duration { max(.zero, limit - stopwatch.elapsed) }

    /// Whether no time is left.
    public var hasPassed: Bool { remaining == .zero }
}
