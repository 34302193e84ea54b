/// The store that the configuration chooses.
enum StoreChoice: Sendable, Equatable {
    /// The SQLite file in the user's data folder.
    case automatic
    /// No store.
    case none
    /// A SQLite file.
    case file(path: String)
    /// A PostgreSQL database shared by many users.
    case postgresql(DatabaseChoice)

    /// The path of the SQLite file; nil without one.
    ///
    /// Default: `$XDG_DATA_HOME/hoga/hoga.sqlite`, else below `~/.local/share`.
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

    /// Whether several users share it.
    var isShared: Bool {
        switch self {
        case .automatic, .none, .file: false
        case .postgresql: true
        }
    }
}

/// The address and connection limit of a database.
struct DatabaseChoice: Sendable, Equatable {
    /// The address with the password: never log it.
    var url: String
    /// The direct address for notifications; nil: changes are polled instead.
    var sessionURL: String?
    /// The address of standbys for candles; nil: they are read from ``url`` too.
    var readURL: String?
    /// The greatest age of candles from a standby.
    var readAgeMax = Duration.seconds(10)
    /// The maximum number of pooled connections.
    var connectionsMax: Int
    /// The person who administers, for the audit trail; nil: the user of the operating system.
    var administrator: String?
}
