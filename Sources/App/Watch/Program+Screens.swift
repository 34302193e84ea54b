import ViewStates
import PresentationTerminal

extension Program {
    /// Shows the screens on the terminal until the user quits or a signal arrives.
    ///
    /// - Parameters:
    ///   - model: the data.
    ///   - onUpdate: receives a closure to call after each change of the data.
    /// - Throws: ``ProgramError`` `unavailable` if the terminal cannot be used.
    func showScreens(
        of model: any ScreenModel,
        onUpdate: (@escaping @Sendable () -> Void) -> Void
    ) async throws(ProgramError) {
        do throws(TerminalError) {
            let session = try TerminalSession(
                model: model,
                state: ScreenState(
                    given: configuration.givenSettings,
                    language: configuration.localeLanguage
                ),
                input: InputOptions(
                    keys: configuration.keys,
                    usesMouse: configuration.usesMouse
                ),
                choices: configuration.terminal,
                environment: environment
            )
            onUpdate { session.wake() }
            _ = try await session.run()
        } catch {
            throw ProgramError(.unavailable, "cannot use the terminal: \(error)")
        }
    }
}
