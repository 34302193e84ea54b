import Domain

/// The language that the environment's locale asks for, and the variable that says so.
struct LocaleLanguage: Sendable, Equatable {
    /// The one of our languages that is nearest.
    let language: Language
    /// Where it stands.
    let variable: String

    /// Reads the locale of messages: `LC_ALL`, else `LC_MESSAGES`, else `LANG` (POSIX.1-2017,
    /// chapter 8.2, seen 2026-11).
    ///
    /// Whoever has another language than Korean is served in English. The locales C and POSIX are
    /// what machines have that nobody has told a language: they say nothing.
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
