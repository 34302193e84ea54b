extension ProgramTrial {
    /// The failing trial with as few of its faults as make it fail.
    ///
    /// Leaves out halves, quarters, … of the faults while the trial still fails in the same way
    /// (delta debugging: Zeller, 1999).
    ///
    /// - Parameter runsMax: the most trials that are run.
    /// - Returns: the smaller trial, and its report; this one if it does not fail.
    public func smaller(runsMax: Int = 200) -> (trial: ProgramTrial, report: ProgramReport) {
        var best = (trial: self, report: run())
        guard let kind = best.report.failureKind else { return best }
        var parts = 2
        var runs = 0
        while best.trial.faults.count > 1, runs < runsMax {
            let faults = best.trial.faults
            let size = (faults.count + parts - 1) / parts
            var found: (trial: ProgramTrial, report: ProgramReport)?
            for start in stride(from: 0, to: faults.count, by: size) where found == nil {
                runs += 1
                let kept = Array(faults[..<start] + faults[min(start + size, faults.count)...])
                let trial = ProgramTrial(seed: seed, faults: kept, duration: duration)
                let report = trial.run()
                if report.failureKind == kind { found = (trial, report) }
            }
            if let found {
                best = found
                parts = max(2, parts - 1)
            } else if size == 1 {
                break
            } else {
                parts = min(faults.count, parts * 2)
            }
        }
        return best
    }
}
