import Domain
import PresentationTerminal

/// Says a page again after each interval: what has changed of it.
struct SpokenPageRepeater: Sendable {
    let interval: Duration
    let language: Language
    /// Whether what was said last is the last that there is.
    var isOver: @Sendable () -> Bool = { false }
    /// The page as it is now; nil where nothing can be said of it just now.
    let next: @Sendable () async throws(ProgramError) -> SpokenPage?

    /// Goes on until the program is told to end, it is over, or nobody reads any more.
    ///
    /// - Parameter first: what was said already.
    /// - Throws: ``ProgramError``: what `next` throws, or that nothing can be written.
    func run(after first: SpokenPage) async throws(ProgramError) {
        let termination = Termination()
        let failure = await withTaskGroup(of: ProgramError?.self) { group in
            group.addTask { await self.speak(after: first) }
            group.addTask {
                await termination.wait()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let failure { throw failure }
    }

    private func speak(after first: SpokenPage) async -> ProgramError? {
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
