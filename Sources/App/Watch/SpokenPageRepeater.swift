import Domain
import PresentationTerminal

/// Prints the changes of a page after each interval.
struct SpokenPageRepeater: Sendable {
    let interval: Duration
    let language: Language
    /// Whether the last printed page is final.
    var isOver: @Sendable () -> Bool = { false }
    /// The current page; nil to skip this interval.
    let next: @Sendable () async throws(ProgramError) -> SpokenPage?

    /// Repeats until a signal arrives, the page is final, or the output is closed.
    ///
    /// - Parameter first: the page that was printed already.
    /// - Throws: ``ProgramError``: the error of `next`, or a failed write.
    func run(after first: SpokenPage) async throws(ProgramError) {
        try await Repetition(interval: interval, isOver: isOver).run(from: first) {
            last throws(ProgramError) in
            guard let page = try await next() else { return last }
            return try Console.line(page.text(since: last, language)) ? page : nil
        }
    }
}
