import CBuildInfo

/// The version and commit of this binary.
public enum BuildInfo: Sendable {
    /// The version by semantic versioning.
    public static let version = "0.2.0"

    /// The first twelve digits of the commit, with `+changes` for a modified tree.
    public static var commit: String {
        guard let text = unsafe hoga_build_commit() else { return "unknown" }
        // Safe: the C side returns a string literal, which lives as long as the process.
        return unsafe String(cString: text)
    }
}
