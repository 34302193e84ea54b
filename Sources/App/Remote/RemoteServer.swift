import DataSourceContracts
import DataSourcesHTTP
import DataSourcesRemote
import Domain
import ViewStates

/// The hoga server that the configuration names, wired up but not running.
struct RemoteServer: Sendable {
    /// The maximum number of open streams, including those being replaced.
    static let connectionsMax = 12

    /// Sends requests to the server.
    let client: RemoteClient
    /// Clock and randomness.
    let environment: RemoteEnvironment
    private let requests: CurlHTTPTransport
    private let streams: CurlHTTPTransport

    /// Wires the transports to the server.
    ///
    /// Nil unless a server is chosen: a flag of an own exchange or store wins over a server that
    /// the environment or the configuration file names.
    ///
    /// - Parameters:
    ///   - program: its configuration names the server.
    ///   - options: the flags of the command.
    /// - Throws: ``ProgramError``: `usage` for a flag that conflicts with `--server`;
    ///   `configuration` for an unusable certificate authority file.
    init?(_ program: Program, _ options: [CommandOption: String]) throws(ProgramError) {
        let configuration = program.configuration
        guard let url = configuration.server else { return nil }
        do throws(ProgramError) {
            try Self.check(configuration, options)
        } catch {
            guard configuration.isFlag(.server) else { return nil }
            throw error
        }
        if let warning = Self.warning(url, hasToken: configuration.token != nil) {
            Console.note("hoga: \(warning)")
        }
        requests = try Markets.transport(configuration)
        streams = try Self.streams(configuration)
        let clock = ContinuousClock()
        client = RemoteClient(
            url: url,
            token: configuration.token?.text,
            requests: requests,
            streams: streams,
            now: { SystemSources.now().microseconds }
        )
        environment = RemoteEnvironment(
            clock: clock,
            uptime: SystemSources.uptime(of: clock),
            random: SystemSources.random
        )
    }

    /// Runs the transports until the task is cancelled; call it once.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await requests.run() }
            group.addTask { await streams.run() }
            await group.waitForAll()
        }
    }

    /// Checks the server and the token.
    ///
    /// An unreachable server passes, because clients retry.
    ///
    /// - Throws: ``ProgramError``: `unavailable` for another kind of server or an incompatible
    ///   version; `configuration` for an untrusted certificate or an invalid token.
    func check() async throws(ProgramError) {
        do throws(RemoteFailure) {
            let about = try await client.send(client.request(RemoteTarget(path: "/v1/about")))
            try RemoteClient.check(schema: AboutViewState.schemaName, of: about.body)
            guard client.token != nil else { return }
            _ = try await client.send(client.request(RemoteTarget(path: "/v1/me")))
        } catch {
            switch error.code {
            case .unreachable, .proxy, .timedOut, .disconnected, .leaving, .silent, .rateLimited,
                .storeAway, .failed, .changed:
                return
            case .untrusted, .notHoga, .otherVersion, .unauthorized, .forbidden, .missing,
                .refused:
                throw self.error(error)
            }
        }
    }

    /// The error of a program that ends because of a failure.
    func error(_ failure: RemoteFailure) -> ProgramError {
        let token = Setting.token.environmentName
        let detail = failure.detail
        let text: String
        var code = ExitCode.unavailable
        switch failure.code {
        case .unreachable: text = "cannot be reached: \(detail)"
        case .proxy: text = "cannot be reached through the proxy: \(detail)"
        case .untrusted:
            code = .configuration
            text =
                "certificate not trusted: \(detail); set \(Setting.caFile.environmentName) to the "
                + "PEM file of its authority"
        case .timedOut, .silent: text = "does not answer in time: \(detail)"
        case .disconnected, .leaving: text = "closed the connection: \(detail)"
        case .notHoga, .missing:
            text = "is not a hoga server: \(detail); check the address"
        case .otherVersion: text = "has an incompatible version: \(detail)"
        case .unauthorized where client.token == nil:
            code = .configuration
            text =
                "needs an access token; ask its operator to run 'hoga user token new NAME' and set "
                + "\(token)_FILE to a file with it"
        case .unauthorized:
            code = .configuration
            text =
                "the token in \(token) is unknown, expired or revoked; ask the operator for a new "
                + "one from 'hoga user token new NAME'"
        case .forbidden:
            code = .configuration
            text = "the token in \(token) is read-only; ask for one with scope write"
        case .rateLimited:
            let wait = failure.retryAfter.map { "; try again in \($0.components.seconds) s" }
            text = "request limit exceeded: \(detail)\(wait ?? "")"
        case .storeAway: text = "cannot reach its store: \(detail); try again"
        case .changed, .refused: text = "refused the request: \(detail)"
        case .failed: text = "failed: \(detail)"
        }
        return ProgramError(code, "the server at \(client.url): \(text)")
    }

    /// The warning about a token that others can read on its way; nil if they cannot.
    static func warning(_ url: String, hasToken: Bool) -> String? {
        guard hasToken, let address = HTTPAddress(url), address.scheme == "http",
            !address.isLoopback
        else { return nil }
        return "\(Setting.server.flag): the token goes to \(address.host) in plain text; use the "
            + "server's https:// address"
    }

    /// Refuses flags that a server would ignore; variables may be exported for other commands.
    private static func check(
        _ configuration: Configuration,
        _ options: [CommandOption: String]
    ) throws(ProgramError) {
        let server = Setting.server.flag
        if options[.orSimulated] != nil {
            throw ProgramError(
                .usage,
                "\(server) conflicts with \(CommandOption.orSimulated.flag): the server has its "
                    + "own exchange"
            )
        }
        for setting in Setting.ofOwnMarkets where configuration.isFlag(setting) {
            throw ProgramError(
                .usage,
                "\(server) conflicts with \(setting.flag): the server has its own exchange and "
                    + "store"
            )
        }
    }

    private static func streams(
        _ configuration: Configuration
    ) throws(ProgramError) -> CurlHTTPTransport {
        do throws(TransportError) {
            return try CurlHTTPTransport(
                userAgent: Markets.userAgent,
                authorityFile: configuration.caFile,
                proxy: configuration.proxy,
                connectionsPerHostMax: connectionsMax
            )
        } catch {
            throw ProgramError(
                .configuration,
                "\(Setting.caFile.environmentName): \(error.detail)"
            )
        }
    }
}
