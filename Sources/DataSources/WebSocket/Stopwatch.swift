/// Measures time on a clock whose type does not matter.
struct Stopwatch: Sendable {
    private let start: @Sendable () -> @Sendable () -> Duration

    /// Measures on this clock.
    init(_ clock: some Clock<Duration>) {
        start = {
            let beginning = clock.now
            return { beginning.duration(to: clock.now) }
        }
    }

    /// Begins to count down from this time.
    func deadline(after time: Duration) -> Deadline {
        Deadline(time: time, elapsed: start())
    }
}

/// A moment by which something must be done.
struct Deadline: Sendable {
    fileprivate let time: Duration
    fileprivate let elapsed: @Sendable () -> Duration

    /// What is left; zero or less when the moment has passed.
    var remaining: Duration { time - elapsed() }
}
