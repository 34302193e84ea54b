import FileOutput
import PresentationHTTP

/// The maximum number of client connections that the limit on open files allows.
struct ConnectionLimit: Sendable {
    /// File descriptors reserved for the store, the exchange, listeners and the log.
    static let reserved = 512

    /// The maximum number of connections.
    ///
    /// - Parameters:
    ///   - configured: the configured maximum.
    ///   - openFiles: the limit on open files; nil if unknown.
    /// - Returns: the configured maximum, at most the limit less ``reserved``, but always a
    ///   quarter of a small limit.
    static func connectionsMax(configured: Int, openFiles: Int?) -> Int {
        guard let openFiles else { return configured }
        return max(1, min(configured, max(openFiles - reserved, openFiles / 4)))
    }

    /// The rules with the possible number of connections.
    let rules: ServiceConfiguration
    private let configured: Int
    private let isChosen: Bool
    private let openFiles: Int?

    /// Raises the limit on open files to its hard limit.
    init(_ configuration: Configuration) {
        self.init(
            configuration.service,
            isChosen: configuration.isGiven(.maxConnections),
            openFiles: OpenFileLimit.raise()?.limit
        )
    }

    /// Lowers the configured number of connections to fit the limit on open files.
    ///
    /// - Parameters:
    ///   - configured: the configured rules.
    ///   - isChosen: whether the number of connections was given, not defaulted.
    ///   - openFiles: the limit on open files; nil if unknown.
    init(_ configured: ServiceConfiguration, isChosen: Bool, openFiles: Int?) {
        self.openFiles = openFiles
        self.isChosen = isChosen
        self.configured = configured.connectionsMax
        var rules = configured
        rules.connectionsMax = Self.connectionsMax(
            configured: configured.connectionsMax,
            openFiles: openFiles
        )
        self.rules = rules
    }

    /// Logs the limit unless it is the default; as a warning if more connections were configured.
    func report(to log: any Log) {
        let isLess = rules.connectionsMax < configured
        guard isChosen || isLess else { return }
        var fields = [
            LogField.number("connections", rules.connectionsMax),
            LogField.number("configured", configured),
        ]
        if let openFiles { fields.insert(.number("openFiles", openFiles), at: 0) }
        log.write(isChosen && isLess ? .warning : .info, "limits", fields)
    }
}
