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
    /// - Parameters:
    ///   - program: its configuration names the server.
    ///   - options: the flags of the command.
    /// - Throws: ``ProgramError``: `usage` or `configuration` for a setting that conflicts with a
    ///   server; `configuration` for an unusable certificate authority file.
    init(_ program: Program, _ options: [CommandOption: String]) throws(ProgramError) {
        let configuration = program.configuration
        try Self.check(configuration, options)
        requests = try Markets.transport(configuration)
        streams = try Self.streams(configuration)
        let clock = ContinuousClock()
        client = RemoteClient(
            url: configuration.server ?? "",
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

    /// Refuses settings that a server would ignore.
    private static func check(
        _ configuration: Configuration,
        _ options: [CommandOption: String]
    ) throws(ProgramError) {
        let server = name(of: .server, configuration)
        if options[.orSimulated] != nil {
            throw ProgramError(
                .usage,
                "\(server) conflicts with \(CommandOption.orSimulated.flag): the server has its "
                    + "own exchange"
            )
        }
        for setting in Setting.ofOwnMarkets where configuration.isGiven(setting) {
            let isFlag = [Setting.server, setting].contains {
                configuration.entries[$0]?.origin == .flag
            }
            throw ProgramError(
                isFlag ? .usage : .configuration,
                "\(server) conflicts with \(name(of: setting, configuration)): the server has its "
                    + "own exchange and store"
            )
        }
    }

    /// The flag, variable or key that gave a setting.
    private static func name(of setting: Setting, _ configuration: Configuration) -> String {
        switch configuration.entries[setting]?.origin {
        case .flag: setting.flag
        case .environment: setting.environmentName
        case .secretFile: setting.environmentName + "_FILE"
        case .file, .standard, .locale, .none: "\"\(setting.key)\" in config.json"
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
