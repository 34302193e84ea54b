import Concurrency
import FoundationEssentials
import Glibc
import Synchronization
import Trials

/// Trials of whole programs, or of alert rules alone, one on each processor at a time.
///
/// `Measure program 200`: those of the first 200 seeds; `Measure program seed=17`: that one, made
/// smaller if it fails. `Measure rules …`: the same of rules, which are not made smaller.
enum ProgramTrialMeasurement {
    private struct State {
        var next: UInt64
        var total = ProgramReport(seed: 0)
        var failed: [ProgramReport] = []
    }

    /// The trials of one seed each.
    enum Trial: String {
        case program
        case rules

        fileprivate func run(seed: UInt64) -> ProgramReport {
            switch self {
            case .program: ProgramTrial(seed: seed).run()
            case .rules: AlertTrial(seed: seed).run()
            }
        }
    }

    /// Runs the trials and prints failures and a summary.
    ///
    /// - Parameters:
    ///   - trial: which trials.
    ///   - words: their seeds.
    /// - Returns: false if a trial failed, or the arguments are unknown.
    static func run(_ trial: Trial, _ words: [String]) -> Bool {
        guard let seeds = TrialMeasurement.seeds(words) else {
            print("Measure \(trial) takes a number of seeds, A-B or seed=N, not \(words)")
            return false
        }
        let clock = ContinuousClock()
        let start = clock.now
        let state = Mutex(State(next: seeds.lowerBound))
        performConcurrently(min(seeds.count, threadsMax)) { _ in
            while let seed = take(from: state, through: seeds.upperBound) {
                let report = trial.run(seed: seed)
                state.withLock { state in
                    state.total.add(report)
                    guard !report.failures.isEmpty else { return }
                    state.failed.append(report)
                    print("seed \(seed) failed; again: make seeds SEED=\(seed)")
                    for failure in report.failures { print("  \(failure)") }
                    // The lines of trials that failed are not lost with the rest.
                    fflush(nil)
                }
            }
        }
        let took = start.duration(to: clock.now).formatted
        let (total, failed) = state.withLock { ($0.total, $0.failed) }
        print("\(seeds.count) seeds x 10 virtual minutes in \(took), \(failed.count) failed")
        print(table("injected", total.injected))
        print(table("compared", total.checks))
        print(table("largest", total.largest))
        if seeds.count == 1 { print("digest: \(String(total.digest, radix: 16))") }
        if trial == .program, seeds.count == 1, let failed = failed.first {
            printSmaller(failed.seed)
        }
        if ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == nil {
            print("SWIFT_DETERMINISTIC_HASHING is not set: equal seeds may give other trials")
        }
        return failed.isEmpty
    }

    /// As many as the processors of a machine that runs nothing else.
    private static let threadsMax = 2

    private static func take(
        from state: borrowing Mutex<State>,
        through last: UInt64
    ) -> UInt64? {
        state.withLock { state in
            guard state.next <= last else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    static func table(_ name: String, _ counts: [String: Int]) -> String {
        let parts = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(name): " + parts.joined(separator: ", ")
    }

    private static func printSmaller(_ seed: UInt64) {
        let trial = ProgramTrial(seed: seed)
        let (smaller, report) = trial.smaller()
        print("\(smaller.faults.count) of \(trial.faults.count) faults are enough:")
        for fault in smaller.faults.sorted(by: { $0.at < $1.at }) { print("  \(fault)") }
        for failure in report.failures { print("  \(failure)") }
    }
}
