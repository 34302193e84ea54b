import Domain
import FoundationEssentials
import PresentationTerminal
import ViewStates

/// Draws the screens of `hoga watch` in place of the terminal of this process.
protocol ScreenHost: Sendable {
    /// The folder in which screens save files with relative names.
    var folder: String { get }

    /// Draws until the user quits or the task is cancelled.
    ///
    /// - Parameters:
    ///   - model: where the data come from.
    ///   - screen: how the screen begins.
    ///   - input: which keys do what, and whether the mouse does anything.
    ///   - onUpdate: receives a closure to call after each change of the data.
    func show(
        _ model: any ScreenModel,
        _ screen: ScreenState,
        _ input: InputOptions,
        onUpdate: (@escaping @Sendable () -> Void) -> Void
    ) async
}

extension Program {
    /// The files that its screens write.
    var screenFiles: ScreenFiles {
        ScreenFiles(folder: screenHost?.folder ?? FileManager.default.currentDirectoryPath)
    }

    /// Shows the screens on the terminal until the user quits or a signal arrives.
    ///
    /// - Parameters:
    ///   - model: the data.
    ///   - opening: where they open.
    ///   - onUpdate: receives a closure to call after each change of the data.
    /// - Throws: ``ProgramError`` `unavailable` if the terminal cannot be used.
    func showScreens(
        of model: any ScreenModel,
        at opening: WatchOpening,
        onUpdate: (@escaping @Sendable () -> Void) -> Void
    ) async throws(ProgramError) {
        var given = configuration.givenSettings
        given.sort = opening.given.sort
        given.sortDirection = opening.given.sortDirection
        given.quote = opening.given.quote
        given.tab = opening.given.tab
        let state = ScreenState(
            given: given,
            language: configuration.localeLanguage,
            opening: opening.screen
        )
        let input = InputOptions(keys: configuration.keys, usesMouse: configuration.usesMouse)
        if let screenHost {
            await screenHost.show(model, state, input, onUpdate: onUpdate)
            return
        }
        do throws(TerminalError) {
            let session = try TerminalSession(
                model: model,
                state: state,
                input: input,
                choices: configuration.terminal,
                environment: environment
            )
            onUpdate { session.wake() }
            if let standIn = try await session.run().standIn {
                let name = environment["TERM"] ?? ""
                Console.note(
                    "hoga: no terminfo entry for TERM=\(SecretFiles.shown(name)); used \(standIn)"
                )
            }
        } catch {
            throw ProgramError(.unavailable, "cannot use the terminal: \(error)")
        }
    }
}
