/// An embedded store on a disk that fails and loses power, compared with what it acknowledged.
///
/// The store and SQLite are the program's own; the files lie on a disk of the trial. Equal seeds
/// and equal faults give equal trials.
public struct StoreTrial: Sendable {
    /// The seed.
    public let seed: UInt64
    /// Whether the disk acknowledges syncs without having written anything.
    public let isDiskLying: Bool
    let faults: [ScheduledDiskFault]

    /// Creates a trial.
    ///
    /// - Parameters:
    ///   - seed: determines the calls, the kind of store and the faults.
    ///   - isDiskLying: whether the disk breaks its promise, so that the trial must fail.
    public init(seed: UInt64, isDiskLying: Bool = false) {
        self.init(
            seed: seed,
            isDiskLying: isDiskLying,
            faults: StoreSchedule.faults(of: seed)
        )
    }

    private init(seed: UInt64, isDiskLying: Bool, faults: [ScheduledDiskFault]) {
        self.seed = seed
        self.isDiskLying = isDiskLying
        self.faults = faults
    }

    /// Runs the trial.
    public func run() async -> ProgramReport {
        var run = StoreRun(self)
        return await run.run()
    }

    /// The faults without which the trial does not fail, in order; nil if it does not fail.
    ///
    /// Leaves faults out one by one while the trial still fails in the same way.
    public func necessaryFaults() async -> (faults: [String], report: ProgramReport)? {
        var best = (trial: self, report: await run())
        guard let kind = best.report.failureKind else { return nil }
        for fault in faults {
            let kept = best.trial.faults.filter { $0 != fault }
            let trial = StoreTrial(seed: seed, isDiskLying: isDiskLying, faults: kept)
            let report = await trial.run()
            if report.failureKind == kind { best = (trial, report) }
        }
        return (best.trial.faults.map(\.description), best.report)
    }
}
