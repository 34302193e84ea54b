import DataSourceContracts
import Domain
import ExchangeSimulator

/// The addresses of the exchange, and its server if it runs in this process.
struct ExchangeEndpoint: Sendable {
    /// The REST address.
    let restURL: String
    /// The stream addresses of both API generations.
    let streamURLs: [APIGeneration: String]
    /// The generations of the API that are read.
    var api: Set<APIGeneration>
    /// The kind of feed, unless the server names itself.
    let kind: FeedKind
    /// The assumed kind of feed until the server answers.
    var expectedKind: FeedKind
    /// The simulated or replaying exchange in this process; nil for a remote one.
    let server: ExchangeSimulator?

    /// Serves the exchange until the task is cancelled; returns at once for a remote one.
    func run() async {
        await server?.run()
    }

    /// Makes the endpoint of the chosen exchange and binds its server if it runs in this process.
    ///
    /// - Parameters:
    ///   - choice: the exchange.
    ///   - configuration: addresses and simulator settings.
    ///   - standardSpeed: the speed of a replay if none was given.
    /// - Returns: the addresses, and the server to run if there is one.
    /// - Throws: ``ProgramError``: an unreadable recording, or no free port.
    static func make(
        _ choice: ExchangeChoice,
        _ configuration: Configuration,
        standardSpeed: ReplaySpeed
    ) throws(ProgramError) -> ExchangeEndpoint {
        switch choice {
        case .bithumb:
            return ExchangeEndpoint(
                restURL: configuration.restURL,
                streamURLs: [.v1: configuration.wsURL, .v2: configuration.ws2URL],
                api: api(of: configuration),
                kind: .live,
                server: nil
            )
        case .simulated:
            return ExchangeEndpoint(
                try ExchangeServers.simulated(configuration, at: Self.loopback),
                configuration.api,
                .simulated
            )
        case .replay(let path):
            let speed =
                configuration.replaySpeed == .automatic ? standardSpeed : configuration.replaySpeed
            return ExchangeEndpoint(
                try ExchangeServers.replay(path, speed: speed, at: Self.loopback),
                [.v1],
                .replay
            )
        }
    }

    /// The generations of the API that are read.
    ///
    /// Unless they were chosen, an address of one stream alone stands for its generation: the other
    /// stream would be that of another exchange.
    private static func api(of configuration: Configuration) -> Set<APIGeneration> {
        guard !configuration.isGiven(.api) else { return configuration.api }
        return switch (configuration.isGiven(.wsURL), configuration.isGiven(.ws2URL)) {
        case (true, false): [.v1]
        case (false, true): [.v2]
        case (true, true), (false, false): configuration.api
        }
    }

    /// The loopback address with any free port.
    private static let loopback = ListenAddress(host: "127.0.0.1", port: 0)

    private init(_ server: ExchangeSimulator, _ api: Set<APIGeneration>, _ kind: FeedKind) {
        self.init(
            restURL: server.restURL,
            streamURLs: [.v1: server.streamURL, .v2: server.marketStreamURL],
            api: api,
            kind: kind,
            server: server
        )
    }

    private init(
        restURL: String,
        streamURLs: [APIGeneration: String],
        api: Set<APIGeneration>,
        kind: FeedKind,
        server: ExchangeSimulator?
    ) {
        self.restURL = restURL
        self.streamURLs = streamURLs
        self.api = api
        self.kind = kind
        expectedKind = kind
        self.server = server
    }
}
