import FileOutput
import PresentationHTTP

/// How many connections of clients the limit on open files leaves room for.
enum ConnectionRoom {
    /// What everything else may have open: the store, the exchange, listeners, the log.
    static let reserved = 512

    /// The most connections there may be.
    ///
    /// - Parameters:
    ///   - configured: what the configuration allows.
    ///   - openFiles: how many files the process may have open; nil if nobody knows.
    /// - Returns: what is configured, or the limit less ``reserved``; a quarter of a limit that is
    ///   hardly more than that.
    static func connectionsMax(configured: Int, openFiles: Int?) -> Int {
        guard let openFiles else { return configured }
        return max(1, min(configured, max(openFiles - reserved, openFiles / 4)))
    }

    /// Raises the limit on open files as far as it goes, and says in the log what that leaves.
    ///
    /// - Returns: the rules, with as many connections as there is room for.
    static func rules(_ configured: ServiceRules, log: any Log) -> ServiceRules {
        let files = OpenFiles.raise()
        var rules = configured
        rules.connectionsMax = connectionsMax(
            configured: configured.connectionsMax,
            openFiles: files?.limit
        )
        var fields = [
            LogField.number("connections", rules.connectionsMax),
            LogField.number("configured", configured.connectionsMax),
        ]
        if let files { fields.insert(.number("openFiles", files.limit), at: 0) }
        let isLess = rules.connectionsMax < configured.connectionsMax
        log.write(isLess ? .warning : .info, "limits", fields)
        return rules
    }
}
