import Glibc
import Trials

/// `Measure store 200`: the trials of embedded stores of the first 200 seeds; `Measure store
/// seed=17`: that one, and which of its faults are enough if it fails.
enum StoreTrialMeasurement {
    /// As many as the processors of a machine that runs nothing else.
    private static let tasksMax = 2

    /// Runs the trials and prints failures and a summary.
    ///
    /// - Returns: false if a trial failed, or the arguments are unknown.
    static func run(_ words: [String]) async -> Bool {
        guard let seeds = TrialMeasurement.seeds(words) else {
            print("Measure store takes a number of seeds, or seed=N, not \(words)")
            return false
        }
        let clock = ContinuousClock()
        let start = clock.now
        var total = ProgramReport(seed: 0)
        var failed: [UInt64] = []
        await withTaskGroup(of: ProgramReport.self) { group in
            var waiting = seeds.makeIterator()
            for seed in seeds.prefix(tasksMax) {
                _ = waiting.next()
                group.addTask { await StoreTrial(seed: seed).run() }
            }
            while let report = await group.next() {
                total.add(report)
                if !report.failures.isEmpty {
                    failed.append(report.seed)
                    print(report)
                }
                if let seed = waiting.next() {
                    group.addTask { await StoreTrial(seed: seed).run() }
                }
            }
        }
        let took = start.duration(to: clock.now).formatted
        print("\(seeds.count) stores on failing disks in \(took), \(failed.count) failed")
        print(ProgramTrialMeasurement.table("injected", total.injected))
        print(ProgramTrialMeasurement.table("compared", total.checks))
        if seeds.count == 1 { print("digest: \(String(total.digest, radix: 16))") }
        if seeds.count == 1, let seed = failed.first { await printNecessary(seed) }
        return failed.isEmpty
    }

    private static func print(_ report: ProgramReport) {
        Swift.print("seed \(report.seed) failed; again: make seeds SEED=\(report.seed)")
        for failure in report.failures { Swift.print("  \(failure)") }
        // The lines of trials that failed are not lost with the rest.
        fflush(nil)
    }

    private static func print(_ line: String) { Swift.print(line) }

    private static func printNecessary(_ seed: UInt64) async {
        guard let (faults, report) = await StoreTrial(seed: seed).necessaryFaults() else { return }
        print("\(faults.count) faults are enough:")
        for fault in faults { print("  \(fault)") }
        print(report)
    }
}
