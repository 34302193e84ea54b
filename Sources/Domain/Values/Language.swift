/// Language of texts for people.
///
/// Machine-readable fields do not depend on it.
public enum Language: String, Sendable, Hashable, CaseIterable {
    /// Korean, the default.
    case korean = "ko"
    /// English.
    case english = "en"
}
