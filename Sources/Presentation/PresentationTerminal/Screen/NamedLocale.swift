/// The locale of characters that the environment names, and the variable that does.
public struct NamedLocale: Sendable, Hashable {
    /// The variables in order of precedence (POSIX.1-2017, chapter 8.2, seen 2026-11).
    private static let variables = ["LC_ALL", "LC_CTYPE", "LANG"]

    /// The environment variable.
    public let variable: String
    /// Its name, as `ko_KR.UTF-8`.
    public let name: String

    /// Reads `LC_ALL`, else `LC_CTYPE`, else `LANG`; nil if none is set.
    public init?(environment: [String: String]) {
        let named = Self.variables.lazy.compactMap { variable in
            environment[variable].map { (variable: variable, name: $0) }
        }
        guard let first = named.first(where: { !$0.name.isEmpty }) else { return nil }
        (variable, name) = first
    }
}
