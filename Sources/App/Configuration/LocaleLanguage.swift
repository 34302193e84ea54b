import Domain

/// The interface language according to the environment's locale.
struct LocaleLanguage: Sendable, Equatable {
    /// Korean for a Korean locale, else English.
    let language: Language
    /// The variable with the locale.
    let variable: String

    /// Reads the locale of messages: `LC_ALL`, `LC_MESSAGES`, `LANG` (POSIX.1-2017, chapter 8.2,
    /// seen 2026-11).
    ///
    /// Returns nil for the locales C and POSIX, which say nothing about a language.
    init?(_ environment: [String: String]) {
        for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            guard let locale = environment[variable], !locale.isEmpty else { continue }
            let name = locale.prefix { $0 != "." && $0 != "@" }
            if name == "C" || name == "POSIX" { return nil }
            let code = name.prefix { $0 != "_" && $0 != "-" }.lowercased()
            language = ["ko", "korean"].contains(code) ? .korean : .english
            self.variable = variable
            return
        }
        return nil
    }
}
