import Glibc

/// Measures parts of hoga inside one process: `Measure book depth …`, or all of them without a
/// name.
///
/// `Measure streams` measures streams: see ``StreamMeasurement``. `Measure seeds …`, `Measure
/// rules …`, `Measure program …` and `Measure store …` run trials instead: see ``TrialMeasurement``,
/// ``ProgramTrialMeasurement`` and ``StoreTrialMeasurement``. `Measure news`, `Measure personal …`,
/// `Measure socket …` and `Measure upserts …` need a server: see ``NotificationMeasurement``,
/// ``PersonalReads``, ``SocketMeasurement`` and ``CandleUpserts``.
@main
enum Measure {
    /// Every measurement, in order.
    static let measurements: [Measurement] = [
        AlertMeasurement.alerts,
        BookMeasurement.book,
        CandleMeasurement.candles,
        ChartMeasurement.chart,
        FrameMeasurement.frame,
        DepthMeasurement.depth,
        DocumentMeasurement.documents,
    ]

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let rest = Array(words.dropFirst())
        switch words.first {
        case "news" where rest.isEmpty: return try await NotificationMeasurement.run()
        case "streams" where rest.isEmpty: return try await StreamMeasurement.run()
        case "program": exit(ProgramTrialMeasurement.run(.program, rest) ? 0 : 1)
        case "rules": exit(ProgramTrialMeasurement.run(.rules, rest) ? 0 : 1)
        case "store": exit(await StoreTrialMeasurement.run(rest) ? 0 : 1)
        case "seeds": exit(await TrialMeasurement.run(rest) ? 0 : 1)
        case "upserts": exit(await CandleUpserts.run(rest) ? 0 : 1)
        case "personal": exit(await PersonalReads.run(rest) ? 0 : 1)
        case "indicators" where rest.isEmpty: exit(IndicatorTable.run() ? 0 : 1)
        case "socket": exit(await SocketMeasurement.run(rest) ? 0 : 1)
        default: break
        }
        let names = Set(words)
        let unknown = names.subtracting(measurements.map(\.name))
        guard unknown.isEmpty else {
            let known = measurements.map(\.name).joined(separator: " ")
            print("Measure knows \(known), not \(unknown.sorted().joined(separator: " "))")
            return
        }
        for measurement in measurements where names.isEmpty || names.contains(measurement.name) {
            measurement.run()
        }
    }
}

/// A measurement; it prints one line for each result.
struct Measurement: Sendable {
    /// Its name on the command line.
    let name: String
    /// Measures and prints.
    let run: @Sendable () -> Void

    /// The median duration of `body` over `runs` runs after a warm-up.
    static func median(of runs: Int = 9, _ body: () -> Void) -> Duration {
        body()
        let clock = ContinuousClock()
        let times = (0..<runs).map { _ in clock.measure(body) }.sorted()
        return times[times.count / 2]
    }
}
