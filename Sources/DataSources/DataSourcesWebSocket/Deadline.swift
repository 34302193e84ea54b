/// A moment by which something must be done, on a clock whose type does not matter.
struct Deadline: Sendable {
    private let countdown: @Sendable () -> Duration

    /// The moment that much time from now.
    init(after time: Duration, on clock: any Clock<Duration>) {
        countdown = Self.countdown(time, clock)
    }

    /// What is left; zero or less when the moment has passed.
    var remaining: Duration { countdown() }

    /// Opens the existential once, so that the clock's instant can be kept.
    private static func countdown(
        _ time: Duration,
        _ clock: some Clock<Duration>
    ) -> @Sendable () -> Duration {
        let start = clock.now
        return { time - start.duration(to: clock.now) }
    }
}
