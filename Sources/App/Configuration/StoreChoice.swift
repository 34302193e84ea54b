/// Where everything is kept that outlives the program.
enum StoreChoice: Sendable, Equatable {
    /// In the user's folder of data.
    case automatic
    /// Nowhere.
    case none
    /// In that file.
    case file(path: String)
    /// In a database that others share.
    case postgresql(DatabaseChoice)

    /// The file; nil without one.
    ///
    /// `$XDG_DATA_HOME/hoga/hoga.sqlite`, else below `~/.local/share`, unless one was named.
    func path(_ environment: [String: String]) -> String? {
        switch self {
        case .none, .postgresql: return nil
        case .file(let path): return path
        case .automatic:
            if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
                return folder + "/hoga/hoga.sqlite"
            }
            guard let home = environment["HOME"], !home.isEmpty else { return nil }
            return home + "/.local/share/hoga/hoga.sqlite"
        }
    }

    /// Whether several people keep theirs there.
    var isShared: Bool {
        switch self {
        case .automatic, .none, .file: false
        case .postgresql: true
        }
    }
}

/// A database, and how it is used.
struct DatabaseChoice: Sendable, Equatable {
    /// Where the database is; the password is in it, so nobody shows it.
    var url: String
    /// The same past a pooler; nil without one: news are asked for then.
    var sessionURL: String?
    /// How many connections there are at the most.
    var connectionsMax: Int
}
