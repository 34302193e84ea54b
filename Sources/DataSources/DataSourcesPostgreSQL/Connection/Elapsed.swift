/// The time since it was made, on a clock whose type is not known.
struct Elapsed: Sendable {
    private let measure: @Sendable () -> Duration

    /// Starts to measure.
    init(_ clock: any Clock<Duration>) { measure = Self.measure(clock) }

    /// The time since the start.
    var now: Duration { measure() }

    /// Opens the existential once, so that its instant can be kept.
    private static func measure<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
