import Domain
import Presentation
import PresentationTerminal

extension Program {
    /// Draws the screens on the terminal until somebody quits or a signal comes.
    ///
    /// - Parameters:
    ///   - model: where the data come from.
    ///   - language: of the name that a user is offered at the first start.
    ///   - onNews: is handed what is to be called after each change of the data.
    /// - Throws: ``ProgramError`` `unavailable` if the terminal cannot be used.
    func showScreens(
        of model: any ScreenModel,
        language: Language,
        onNews: (@escaping @Sendable () -> Void) -> Void
    ) async throws(ProgramError) {
        do throws(TerminalError) {
            let session = try TerminalSession(
                model: model,
                state: ScreenState(
                    given: configuration.givenSettings,
                    offeredName: Self.offeredName(language),
                    language: configuration.localeLanguage
                ),
                input: InputChoices(
                    keys: configuration.keys,
                    usesMouse: configuration.usesMouse
                ),
                choices: configuration.terminal,
                environment: environment
            )
            onNews { session.wake() }
            _ = try await session.run()
        } catch {
            throw ProgramError(.unavailable, "the terminal cannot be used: \(error)")
        }
    }

    /// How a user wants to see the market, what was given for this run included; where nothing is
    /// kept yet, in the locale's language.
    func firstSettings(of kept: PersonalCut) -> UserSettings {
        let settings = kept.record.settings
        var first = settings.value
        if settings.revision == 0, let language = configuration.localeLanguage {
            first.language = language
        }
        return first.patched(by: configuration.givenSettings)
    }

    /// The name of a user who gives none at the first start.
    private static func offeredName(_ language: Language) -> String {
        switch language {
        case .korean: "나"
        case .english: "Me"
        }
    }
}
