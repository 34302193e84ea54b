/// Ten virtual minutes of whole programs on one exchange and one store, with faults.
///
/// Between the bytes of the network and the documents everything is the program's own. Equal seeds
/// and equal faults give equal trials.
public struct ProgramTrial: Sendable {
    /// The usual duration of a trial.
    public static let usualDuration: Duration = .seconds(600)
    /// When the last fault of a seed has ended; then everything heals.
    static let healing: Duration = .seconds(480)
    /// The time between two looks.
    static let step: Duration = .milliseconds(100)

    /// The seed.
    public let seed: UInt64
    /// The faults, and the deeds of users and readers.
    public let faults: [ScheduledFault]
    /// The duration.
    public let duration: Duration

    /// Creates a trial.
    ///
    /// - Parameters:
    ///   - seed: determines the exchange, the network and the faults.
    ///   - faults: the faults instead of those of the seed.
    ///   - duration: the duration; two minutes longer than the faults, so that everything can heal.
    public init(
        seed: UInt64,
        faults: [ScheduledFault]? = nil,
        duration: Duration = usualDuration
    ) {
        self.seed = seed
        self.faults = faults ?? ProgramSchedule.faults(of: seed)
        self.duration = duration
    }

    /// Runs the trial.
    public func run() -> ProgramReport {
        var run = ProgramRun(self)
        run.run()
        return run.report
    }
}
