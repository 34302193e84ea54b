import PresentationHTTP

extension SettingReader {
    /// What the service lets its clients do.
    func service() throws(ProgramError) -> ServiceConfiguration {
        let flags = [("true", true), ("false", false)]
        return ServiceConfiguration(
            requiresToken: try choice(.requireToken, of: flags.map { (word: $0, value: $1) }),
            trustedProxies: try list(
                .trustedProxies,
                "must be addresses and ranges like 10.0.0.0/8,::1"
            ) { AddressRange($0) },
            corsOrigins: try list(
                .corsOrigins,
                "must be origins like https://example.org, without a path"
            ) { CrossOrigin($0) },
            connectionsMax: try integer(.maxConnections, in: 1...1_000_000),
            connectionsPerClientMax: try integer(.connectionsPerClient, in: 1...1_000_000),
            requestsPerClient: try integer(.requestsPerClient, in: Self.perMinute),
            requestsPerToken: try integer(.requestsPerToken, in: Self.perMinute),
            notModifiedPerClient: try integer(.notModifiedPerClient, in: Self.perMinute),
            streamsPerUser: try integer(.streamsPerUser, in: 1...1_000_000),
            topicsMax: try integer(.topics, in: 1...100_000),
            accessLog: try choice(
                .accessLog,
                of: AccessLogMode.allCases.map { (word: $0.rawValue, value: $0) }
            )
        )
    }

    /// What may be asked in a minute, up to what nobody reaches.
    private static let perMinute = 1...1_000_000_000
    /// How long a list of addresses or origins may be: each request looks through it.
    private static let listMax = 64

    private func list<Value>(
        _ setting: Setting,
        _ remedy: String,
        _ read: (String) -> Value?
    ) throws(ProgramError) -> [Value] {
        let text = text(setting)
        if text.isEmpty { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= Self.listMax else {
            throw failure(setting, "must be at most \(Self.listMax) of them")
        }
        var values: [Value] = []
        for part in parts {
            guard let value = read(String(part)) else { throw failure(setting, remedy) }
            values.append(value)
        }
        return values
    }
}
