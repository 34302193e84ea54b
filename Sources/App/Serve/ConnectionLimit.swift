import FileOutput
import PresentationHTTP

/// How many connections of clients the limit on open files leaves room for.
struct ConnectionLimit: Sendable {
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

    /// The rules, with as many connections as there is room for.
    let rules: ServiceConfiguration
    private let configured: Int
    private let isChosen: Bool
    private let openFiles: Int?

    /// Raises the limit on open files as far as it goes.
    init(_ configuration: Configuration) {
        self.init(
            configuration.service,
            isChosen: configuration.isGiven(.maxConnections),
            openFiles: OpenFileLimit.raise()?.limit
        )
    }

    /// Finds out what there is room for.
    ///
    /// - Parameters:
    ///   - configured: what the configuration allows.
    ///   - isChosen: whether somebody chose that many connections: the standard is as many as
    ///     there is room for, up to a number that is enough for most.
    ///   - openFiles: how many files the process may have open; nil if nobody knows.
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

    /// Says what there is room for, unless it is the standard; a warning where more was chosen.
    func tell(_ log: any Log) {
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
