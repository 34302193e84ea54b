import CSQLite

/// The SQLite library that this program runs with.
public enum SQLiteLibrary: Sendable {
    /// Its version, `3.40.1`.
    public static var version: String {
        unsafe String(cString: sqlite3_libversion())
    }
}
