import Domain

/// Prints the lines of `hoga status`, once or with every change.
struct StatusPrinter: Sendable {
    /// The sign of lines whose data are not fresh.
    private static let staleMark = "○ "

    let status: StatusLines
    let language: Language
    /// Whether the last printed lines are final.
    var isOver: @Sendable () -> Bool = { false }
    /// The current page; nil while there is none.
    let next: @Sendable () async throws(ProgramError) -> PrintedPage?

    /// Prints until a signal arrives, the data are final, or the output is closed.
    ///
    /// - Parameter page: the first page.
    /// - Throws: ``ProgramError``: `usage` for markets that the exchange lacks; `unavailable` after
    ///   printing lines that are not fresh; the error of `next`.
    func run(from page: PrintedPage) async throws(ProgramError) {
        try status.check(page)
        let lines = status.lines(of: page, language)
        for line in lines { guard try Console.line(line) else { return } }
        guard status.isFollowing else { return try status.checkFreshness(page) }
        try await Repetition(interval: StatusLines.interval, isOver: isOver).run(from: lines) {
            last throws(ProgramError) in
            let lines = Self.lines(after: last, on: try await next(), status, language)
            for (line, old) in zip(lines, last) where line != old {
                guard try Console.line(line) else { return nil }
            }
            return lines
        }
    }

    /// The lines after others; without a page those are marked as not fresh.
    static func lines(
        after last: [String],
        on page: PrintedPage?,
        _ status: StatusLines,
        _ language: Language
    ) -> [String] {
        if let page { return status.lines(of: page, language) }
        return last.map { $0.hasPrefix(staleMark) ? $0 : staleMark + $0 }
    }
}
