import BuildInfo
import Domain
import FileOutput
import FoundationEssentials
import Glibc
import PresentationTerminal

/// The program `hoga`.
@main
struct HogaProgram {
    static func main() async {
        Lifecycle.ignoreBrokenPipes()
        do throws(ProgramError) {
            try await run(
                Array(CommandLine.arguments.dropFirst()),
                environment: ProcessInfo.processInfo.environment
            )
        } catch {
            Console.note("hoga: \(error)")
            exit(error.exitCode.rawValue)
        }
    }

    private static func run(
        _ arguments: [String],
        environment: [String: String]
    ) async throws(ProgramError) {
        switch try CommandLineReader.read(arguments) {
        case .version: try Console.line("hoga \(BuildInfo.version) (\(BuildInfo.commit))")
        case .help(let command):
            try Console.line(command.map { HelpText.text(of: $0) } ?? HelpText.overview)
        case .helpOnGroup(let group): try Console.line(HelpText.text(of: group))
        case .run(let invocation):
            // What tells of the program itself needs no configuration, and works beside a bad one.
            if let text = try ownText(invocation) {
                try Console.write(Array(text.utf8))
                return
            }
            try await run(invocation, environment: environment)
        }
    }

    /// What a command prints that is about the program itself; nil for any other.
    ///
    /// - Throws: ``ProgramError`` `usage` for a shell that is not known.
    private static func ownText(
        _ invocation: CommandInvocation
    ) throws(ProgramError) -> String? {
        if invocation.command == .man { return ManualPage.text }
        guard invocation.command == .completions else { return nil }
        guard let shell = Shell(rawValue: invocation.operands.first ?? "") else {
            throw ProgramError(
                .usage,
                "SHELL: must be one of " + Shell.allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
        return shell.completions + "\n"
    }

    private static func run(
        _ invocation: CommandInvocation,
        environment: [String: String]
    ) async throws(ProgramError) {
        let secrets = try SecretFiles.values(environment)
        let configuration = try ConfigurationSources(
            flags: invocation.settings,
            environment: environment,
            secrets: secrets,
            file: try configurationFile(environment)
        ).resolve()
        if invocation.command.secrets.contains(.token), let warning = SecretFiles.warning(secrets) {
            Console.note("hoga: \(warning)")
        }
        let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        let program = Program(
            environment: environment,
            configuration: configuration,
            isTerminal: isTerminal,
            log: log(of: invocation.command, configuration.logFormat, environment)
        )
        defer { program.log.flush() }
        if try await runRemotely(invocation, of: program) { return }
        try await run(invocation, of: program)
    }

    /// Does what a server is asked for, where one was named.
    ///
    /// - Returns: false for what a server has no part in.
    private static func runRemotely(
        _ invocation: CommandInvocation,
        of program: Program
    ) async throws(ProgramError) -> Bool {
        guard program.configuration.server != nil else { return false }
        if invocation.command == .watch {
            let server = try RemoteServer(program, invocation.options)
            try await RemoteWatchCommand(
                program: program,
                server: server,
                plan: try WatchOptions(
                    invocation,
                    program.configuration,
                    isTerminal: program.isTerminal
                )
            ).run()
            return true
        }
        guard invocation.command == .snapshot else { return false }
        try await RemoteSnapshotCommand(
            server: try RemoteServer(program, invocation.options),
            document: invocation.operands.first ?? "",
            parameters: invocation.options.map { ($0.key.parameterName, $0.value) }
        ).run()
        return true
    }

    private static func run(
        _ invocation: CommandInvocation,
        of program: Program
    ) async throws(ProgramError) {
        let configuration = program.configuration
        switch invocation.command {
        case .watch:
            try await WatchCommand(
                program: program,
                isSimulatorAllowed: invocation.options[.orSimulated] != nil,
                plan: try WatchOptions(invocation, configuration, isTerminal: program.isTerminal)
            ).run()
        case .serve: try await ServeCommand(program: program).run()
        case .health:
            try await HealthCommand(
                program: program,
                mustBeReady: invocation.options[.ready] != nil
            ).run()
        case .doctor:
            try await DoctorCommand(
                program: program,
                isJSON: invocation.options[.json] != nil
            ).run()
        case .snapshot:
            try await SnapshotCommand(
                program: program,
                document: invocation.operands.first ?? "",
                parameters: invocation.options.map { ($0.key.parameterName, $0.value) }
            ).run()
        case .exportCandles, .exportTrades, .exportFavorites:
            try await ExportCommand(program: program, plan: try ExportOptions(invocation)).run()
        case .exchangeSimulate:
            await ExchangeCommand(
                program: program,
                server: try ExchangeServers.simulated(configuration, at: configuration.listen)
            ).run()
        case .exchangeReplay:
            await ExchangeCommand(
                program: program,
                server: try ExchangeServers.replay(
                    invocation.operands.first ?? "",
                    speed: configuration.replaySpeed,
                    at: configuration.listen
                )
            ).run()
        case .exchangeRecord:
            try await RecordCommand(
                program: program,
                plan: try RecordingOptions(
                    path: invocation.operands.first ?? "",
                    options: invocation.options
                )
            ).run()
        case .configShow: try Console.line(ConfigCommand(configuration: configuration).text)
        case .keys:
            try Console.line(
                KeyListing.text(of: configuration.keys, language: configuration.language)
            )
        case .favoritesList, .favoritesAdd, .favoritesRemove, .favoritesMove, .favoritesImport,
            .favoritesExport, .holdingsList, .holdingsPut, .holdingsRemove, .cash, .storePath,
            .storeBackup, .storeCheck, .migrateUp, .migrateStatus, .migrateVerify, .userList,
            .userAdd, .userDisable, .userEnable, .userRemove, .userExport, .userTokenNew,
            .userTokenList, .userTokenRevoke:
            try await StoredCommands(program: program).run(invocation)
        case .completions, .man: preconditionFailure("What is about the program was printed.")
        }
    }

    /// The configuration file's bytes; nil where there is none.
    ///
    /// One that is there and cannot be read is an error: its settings were meant.
    private static func configurationFile(
        _ environment: [String: String]
    ) throws(ProgramError) -> [UInt8]? {
        guard let path = ConfigurationSources.filePath(environment),
            FileManager.default.fileExists(atPath: path)
        else { return nil }
        guard let content = FileManager.default.contents(atPath: path) else {
            throw ProgramError(.configuration, "\(path) cannot be read: make it a readable file")
        }
        return Array(content)
    }

    /// A terminal's screen is taken, so its log goes to a file; everything else has standard error.
    private static func log(
        of command: Command,
        _ format: LogFormat,
        _ environment: [String: String]
    ) -> any Log {
        switch command {
        case .watch, .snapshot, .exportCandles, .exportTrades:
            guard let folder = FileLog.folder(environment) else { return SilentLog() }
            return FileLog(folder: folder, now: SystemSources.now)
        case .serve, .health, .doctor, .exchangeSimulate, .exchangeReplay, .exchangeRecord,
            .configShow, .keys, .favoritesList, .favoritesAdd, .favoritesRemove, .favoritesMove,
            .favoritesImport,
            .favoritesExport, .holdingsList, .holdingsPut, .holdingsRemove, .cash, .storePath,
            .storeBackup, .storeCheck, .migrateUp, .migrateStatus, .migrateVerify, .userList,
            .userAdd, .userDisable, .userEnable, .userRemove, .userExport, .userTokenNew,
            .userTokenList, .userTokenRevoke, .exportFavorites, .completions, .man:
            return ServiceLog(
                format,
                to: BufferedOutput(.standardError(), bytesMax: ServiceLog.bytesMax),
                now: SystemSources.now
            )
        }
    }
}
