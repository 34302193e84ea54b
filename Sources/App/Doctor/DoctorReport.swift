/// What all checks found, in their order.
struct DoctorReport: Sendable, Equatable {
    /// One check's line.
    struct Line: Sendable, Equatable {
        let name: String
        let finding: DoctorFinding
        /// How long it took.
        let duration: Duration
    }

    let lines: [Line]

    /// How many checks failed.
    var failureCount: Int { lines.count { $0.finding.level == .fail } }

    /// A line for each check, and below a bad one what to do about it.
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

    /// One JSON object with the same.
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

    /// Runs checks side by side; one that takes longer than it may has failed.
    ///
    /// - Parameters:
    ///   - checks: what is looked at.
    ///   - clock: measures and limits them.
    /// - Returns: what they found, in their order.
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
        let start = clock.now
        let finding = await withTaskGroup(of: DoctorFinding.self) { group in
            group.addTask { await check.look() }
            group.addTask {
                try? await clock.sleep(for: check.limit)
                return .fail(
                    "no answer within \(check.limit.wholeMilliseconds) ms",
                    "look whether what it asks is busy, or a firewall lets nothing through"
                )
            }
            defer { group.cancelAll() }
            return await group.next() ?? .fail("it did not run", "run hoga doctor again")
        }
        return Line(name: check.name, finding: finding, duration: start.duration(to: clock.now))
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
    /// Without what is less than a millisecond.
    var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
