import Domain
import ExchangeSimulator

/// Where the exchange is, and the server behind those addresses if it runs in this process.
struct ExchangeEndpoint: Sendable {
    /// The REST address.
    let restURL: String
    /// The stream address.
    let wsURL: String
    /// What kind of data it is if the server does not name itself.
    let kind: FeedKind
    /// What to take it for until it answers: what was last followed, at an address that anybody may
    /// have.
    var expectedKind: FeedKind
    /// The simulated or replaying exchange of this process; nil for any other.
    let server: ExchangeSimulator?

    /// Serves the exchange for as long as the task is not cancelled; returns at once if it is
    /// elsewhere.
    func run() async {
        await server?.run()
    }

    /// Finds the exchange that was chosen, and starts its server if it is to run in this process.
    ///
    /// - Parameters:
    ///   - choice: which exchange.
    ///   - configuration: addresses, and figures of the simulator.
    ///   - standardSpeed: the speed of a recording if none was chosen.
    /// - Returns: the addresses.
    /// - Throws: ``ProgramError``: a recording that cannot be read, no free port.
    static func make(
        _ choice: ExchangeChoice,
        _ configuration: Configuration,
        standardSpeed: ReplaySpeed
    ) throws(ProgramError) -> ExchangeEndpoint {
        switch choice {
        case .bithumb:
            return ExchangeEndpoint(
                restURL: configuration.restURL,
                wsURL: configuration.wsURL,
                kind: .live,
                server: nil
            )
        case .simulated:
            return ExchangeEndpoint(
                try ExchangeServers.simulated(configuration, at: Self.loopback),
                .simulated
            )
        case .replay(let path):
            let speed =
                configuration.replaySpeed == .automatic ? standardSpeed : configuration.replaySpeed
            return ExchangeEndpoint(
                try ExchangeServers.replay(path, speed: speed, at: Self.loopback),
                .replay
            )
        }
    }

    /// Only this machine, on any free port.
    private static let loopback = ListenAddress(host: "127.0.0.1", port: 0)

    private init(_ server: ExchangeSimulator, _ kind: FeedKind) {
        self.init(
            restURL: server.restURL,
            wsURL: server.streamURL,
            kind: kind,
            server: server
        )
    }

    private init(restURL: String, wsURL: String, kind: FeedKind, server: ExchangeSimulator?) {
        self.restURL = restURL
        self.wsURL = wsURL
        self.kind = kind
        expectedKind = kind
        self.server = server
    }
}
