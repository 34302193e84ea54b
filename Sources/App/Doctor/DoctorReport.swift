import Concurrency

/// The results of all checks, in order.
struct DoctorReport: Sendable, Equatable {
    /// The line of one check.
    struct Line: Sendable, Equatable {
        let name: String
        let finding: DoctorFinding
        /// The duration of the check.
        let duration: Duration
    }

    let lines: [Line]

    /// The number of failed checks.
    var failureCount: Int { lines.count { $0.finding.level == .fail } }

    /// One line per check, with the suggested fix below a problem.
    var text: String {
        let width = lines.map(\.name.count).max() ?? 0
        return lines.map { line in
            let word = line.finding.level == .fail ? "FAIL" : line.finding.level.rawValue
            let name = Self.padded(line.name, width)
            let time = "\(line.duration.wholeMilliseconds) ms"
            let head = "\(Self.padded(word, 4))  \(name)  \(Self.plain(line.finding.text)), \(time)"
            guard let remedy = line.finding.remedy else { return head }
            return head + "\n" + Self.padded("", width + 8) + "-> " + Self.plain(remedy)
        }.joined(separator: "\n")
    }

    /// The report as one JSON object.
    var json: String {
        let checks = lines.map { line in
            let remedy = line.finding.remedy.map(Self.quoted) ?? "null"
            return "{\"name\":\(Self.quoted(line.name)),"
                + "\"level\":\"\(line.finding.level.rawValue)\","
                + "\"text\":\(Self.quoted(line.finding.text)),\"remedy\":\(remedy),"
                + "\"milliseconds\":\(line.duration.wholeMilliseconds)}"
        }
        return "{\"failures\":\(failureCount),\"checks\":[\(checks.joined(separator: ","))]}"
    }

    /// Runs checks concurrently; a check over its time limit fails.
    static func make(
        of checks: [DoctorCheck],
        clock: ContinuousClock
    ) async -> DoctorReport {
        let lines = await withTaskGroup(of: (Int, Line).self) { group in
            for (place, check) in checks.enumerated() {
                group.addTask { (place, await line(of: check, clock)) }
            }
            var lines: [Int: Line] = [:]
            for await (place, line) in group { lines[place] = line }
            return lines
        }
        return DoctorReport(lines: checks.indices.compactMap { lines[$0] })
    }

    private static func line(of check: DoctorCheck, _ clock: ContinuousClock) async -> Line {
        let stopwatch = Stopwatch(clock)
        let finding =
            await withTimeout(check.limit, clock: clock) { await check.body() }
            ?? .fail(
                "no answer within \(check.limit.wholeMilliseconds) ms",
                "check whether the target is busy or blocked by a firewall"
            )
        return Line(name: check.name, finding: finding, duration: stopwatch.elapsed)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func plain(_ text: String) -> String { LogText.escaped(text, quotes: false) }

    private static func quoted(_ text: String) -> String {
        "\"\(LogText.escaped(text, quotes: true))\""
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
