import DataSourceContracts
import DataSourcesHTTP
import Domain
import ViewStates

/// The service that the configuration names, wired up but not running.
struct RemoteServer: Sendable {
    /// How many streams a terminal has open, those that are being replaced included.
    static let connectionsMax = 12

    /// Where it is, and the ways to it.
    let service: RemoteClient
    /// Time and chance.
    let sources: RemoteEnvironment
    private let requests: CurlHTTPTransport
    private let streams: CurlHTTPTransport

    /// Wires the ways to the service.
    ///
    /// - Parameters:
    ///   - program: its configuration names the service.
    ///   - options: flags of the command.
    /// - Throws: ``ProgramError``: `usage` or `configuration` for a setting that has no use beside
    ///   a server, naming both; `configuration` when the private authority's file is of no use.
    init(_ program: Program, _ options: [CommandOption: String]) throws(ProgramError) {
        let configuration = program.configuration
        try Self.check(configuration, options)
        requests = try Markets.transport(configuration)
        streams = try Self.streams(configuration)
        let clock = ContinuousClock()
        service = RemoteClient(
            url: configuration.server ?? "",
            token: configuration.token,
            requests: requests,
            streams: streams,
            now: SystemSources.now
        )
        sources = RemoteEnvironment(
            clock: clock,
            uptime: SystemSources.uptime(of: clock),
            random: SystemSources.random
        )
    }

    /// Moves bytes until the task is cancelled; to be called once.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await requests.run() }
            group.addTask { await streams.run() }
            await group.waitForAll()
        }
    }

    /// Looks whether a hoga answers there that this one can read, and what the token opens.
    ///
    /// A service that is away is none that is wrong: it is waited for.
    ///
    /// - Throws: ``ProgramError``: `unavailable` for what is no hoga or one of another version;
    ///   `configuration` for a certificate that is not trusted, or a token that opens nothing.
    func check() async throws(ProgramError) {
        do throws(RemoteFailure) {
            let about = try await service.send(service.request(RemoteTarget(path: "/v1/about")))
            let head = try RemoteClient.decode(
                RemoteClient.DocumentHead.self,
                AboutViewState.schemaName,
                AboutViewState.schemaVersion,
                from: about.body
            )
            guard head.schema == AboutViewState.schemaName else {
                throw RemoteFailure(.notHoga, "the answer is no document of a hoga")
            }
            guard service.token != nil else { return }
            _ = try await service.send(service.request(RemoteTarget(path: "/v1/me")))
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

    /// A failure as the end of a program tells it: which server, what, and the remedy.
    func error(_ failure: RemoteFailure) -> ProgramError {
        let token = Setting.token.environmentName
        let detail = failure.detail
        let words: String
        var code = ExitCode.unavailable
        switch failure.code {
        case .unreachable: words = "cannot be reached: \(detail)"
        case .proxy: words = "cannot be reached through the proxy: \(detail)"
        case .untrusted:
            code = .configuration
            words =
                "its certificate is not trusted: \(detail); \(Setting.caFile.environmentName) "
                + "names a private authority"
        case .timedOut, .silent: words = "does not answer in time: \(detail)"
        case .disconnected, .leaving: words = "closed the connection: \(detail)"
        case .notHoga, .missing:
            words = "answers, but is not a hoga server: \(detail); look at the address"
        case .otherVersion: words = "is of another version: \(detail)"
        case .unauthorized where service.token == nil:
            code = .configuration
            words =
                "takes a token: name a file with yours in \(token)_FILE; whoever runs the server "
                + "makes one with `hoga user token new NAME`"
        case .unauthorized:
            code = .configuration
            words =
                "the token in \(token) opens nothing: it is unknown, expired or revoked; whoever "
                + "runs the server makes one with `hoga user token new NAME`"
        case .forbidden:
            code = .configuration
            words = "the token in \(token) opens reading alone: ask for one with scope write"
        case .rateLimited:
            let wait = failure.retryAfter.map { "; try again in \($0.components.seconds) s" }
            words = "has had too many requests: \(detail)\(wait ?? "")"
        case .storeAway: words = "cannot reach what it keeps: \(detail); try again"
        case .changed, .refused: words = "refuses: \(detail)"
        case .failed: words = "failed: \(detail)"
        }
        return ProgramError(code, "the server at \(service.url): \(words)")
    }

    /// Refuses what would be silently left alone.
    private static func check(
        _ configuration: Configuration,
        _ options: [CommandOption: String]
    ) throws(ProgramError) {
        let server = name(of: .server, configuration)
        if options[.orSimulated] != nil {
            throw ProgramError(
                .usage,
                "\(server) and \(CommandOption.orSimulated.flag): a server has an exchange "
                    + "of its own: leave one of them out"
            )
        }
        for setting in Setting.ofOwnMarkets where configuration.isGiven(setting) {
            let isFlag = [Setting.server, setting].contains {
                configuration.entries[$0]?.origin == .flag
            }
            throw ProgramError(
                isFlag ? .usage : .configuration,
                "\(server) and \(name(of: setting, configuration)): a server has an exchange and "
                    + "a store of its own: leave one of them out"
            )
        }
    }

    /// How a setting was given.
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
