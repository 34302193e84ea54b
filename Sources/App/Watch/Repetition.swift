import Domain

/// Repeats a step after each interval.
struct Repetition: Sendable {
    let interval: Duration
    /// Whether nothing can change any more.
    var isOver: @Sendable () -> Bool = { false }

    /// Repeats until a signal arrives, nothing can change any more, or the step ends it.
    ///
    /// - Parameters:
    ///   - first: the state before the first step.
    ///   - step: makes the next state; nil to end.
    /// - Throws: ``ProgramError``: the error of the step.
    func run<State: Sendable>(
        from first: State,
        _ step: @escaping @Sendable (State) async throws(ProgramError) -> State?
    ) async throws(ProgramError) {
        let termination = Termination()
        let failure = await withTaskGroup(of: ProgramError?.self) { group in
            group.addTask { await self.repeatStep(from: first, step) }
            group.addTask {
                await termination.wait()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let failure { throw failure }
    }

    private func repeatStep<State: Sendable>(
        from first: State,
        _ step: @Sendable (State) async throws(ProgramError) -> State?
    ) async -> ProgramError? {
        var last = first
        while !isOver(), (try? await ContinuousClock().sleep(for: interval)) != nil {
            do throws(ProgramError) {
                guard let next = try await step(last) else { return nil }
                last = next
            } catch {
                return error
            }
        }
        return nil
    }
}
