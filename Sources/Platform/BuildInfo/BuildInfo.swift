import CBuildInfo

/// What this binary was built from.
public enum BuildInfo: Sendable {
    /// The release this source tree is working towards, semantic versioning.
    public static let version = "0.1.0"

    /// The commit, its first twelve digits, `+changes` behind it if the tree was not clean.
    public static var commit: String {
        guard let text = unsafe hoga_build_commit() else { return "unknown" }
        // Safe: the C side returns a string literal, which lives as long as the process.
        return unsafe String(cString: text)
    }
}
