import Trials

/// `Measure seeds 50`: the trials of the first fifty seeds; `Measure seeds 51-90`: of those;
/// `Measure seeds seed=17`: that one.
enum TrialMeasurement {
    /// Default number of seeds.
    static let standardCount: UInt64 = 50

    /// Runs the trials, prints one line each, and a summary.
    ///
    /// - Returns: false if a trial failed, or the arguments are unknown.
    static func run(_ words: [String]) async -> Bool {
        guard let seeds = seeds(words) else {
            print("Measure seeds takes a number of seeds, A-B or seed=N, not \(words)")
            return false
        }
        let clock = ContinuousClock()
        let start = clock.now
        var total = TrialReport(seed: 0)
        var failed: [UInt64] = []
        for seed in seeds {
            let report = await BookTrial(seed: seed).run()
            print("seed \(report.seed): \(report.line)")
            for failure in report.failures { print("  FAILED: \(failure)") }
            if !report.failures.isEmpty { failed.append(seed) }
            total.add(report)
        }
        let took = start.duration(to: clock.now).formatted
        print("\(seeds.count) seeds x 10 virtual minutes in \(took): \(total.line)")
        for seed in failed { print("seed \(seed) failed; again: make seeds SEED=\(seed)") }
        return failed.isEmpty
    }

    static func seeds(_ words: [String]) -> ClosedRange<UInt64>? {
        guard let word = words.first else { return 1...standardCount }
        guard words.count == 1 else { return nil }
        if word.hasPrefix("seed=") { return UInt64(word.dropFirst(5)).map { $0...$0 } }
        if word.contains("-") {
            let ends = word.split(separator: "-", maxSplits: 1).map { UInt64($0) }
            guard ends.count == 2, let first = ends[0], let last = ends[1], first > 0,
                first <= last
            else { return nil }
            return first...last
        }
        guard let count = UInt64(word), count > 0 else { return nil }
        return 1...count
    }
}

extension TrialReport {
    fileprivate var line: String {
        "\(frames) frames, \(losses) lost, \(duplicates) twice, \(overtaken) overtaken, "
            + "\(crossings) crossings, \(readings) read over REST; \(comparisons) compared, "
            + "\(corrections) healed, \(checks) times the exchange's own book"
    }
}

extension Duration {
    var formatted: String {
        let (seconds, attoseconds) = components
        let tenths = attoseconds / 100_000_000_000_000_000
        return "\(seconds).\(tenths) s"
    }
}
