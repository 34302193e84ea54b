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
        let termination = Termination()
        let failure = await withTaskGroup(of: ProgramError?.self) { group in
            group.addTask { await self.printChanges(after: first) }
            group.addTask {
                await termination.wait()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let failure { throw failure }
    }

    private func printChanges(after first: SpokenPage) async -> ProgramError? {
        var last = first
        while !isOver(), (try? await ContinuousClock().sleep(for: interval)) != nil {
            do throws(ProgramError) {
                guard let page = try await next() else { continue }
                guard try Console.line(page.text(since: last, language)) else { return nil }
                last = page
            } catch {
                return error
            }
        }
        return nil
    }
}
