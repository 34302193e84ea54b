/// The language of texts for people; it never changes a machine field.
public enum Language: String, Sendable, Hashable, CaseIterable {
    /// Korean, the default.
    case korean = "ko"
    /// English.
    case english = "en"
}
