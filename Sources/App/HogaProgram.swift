import BuildInfo
import Domain
import FileOutput
import FoundationEssentials
import Glibc
import HeapMemory

/// The program `hoga`.
@main
struct HogaProgram {
    static func main() async {
        HeapMemory.limitArenas()
        HeapMemory.prepareForShortage()
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

    /// Runs a command line.
    ///
    /// - Parameters:
    ///   - arguments: the words behind the program's name.
    ///   - environment: the environment.
    ///   - screenHost: draws the screens instead of the terminal of this process.
    /// - Throws: why the program fails.
    static func run(
        _ arguments: [String],
        environment: [String: String],
        screenHost: (any ScreenHost)? = nil
    ) async throws(ProgramError) {
        try check(arguments, isTerminal: isTerminal(screenHost))
        switch try CommandLineReader.read(arguments) {
        case .version: try Console.line("hoga \(BuildInfo.version) (\(BuildInfo.commit))")
        case .help(let command):
            try Console.line(command.map { HelpText.text(of: $0) } ?? HelpText.overview)
        case .helpOnGroup(let group): try Console.line(HelpText.text(of: group))
        case .run(let invocation):
            switch invocation.command.action {
            case .text(let text): try Console.write(Array(try text(invocation).utf8))
            case .run(let body):
                try check(OpenFileLimit.current(), raised: OpenFileLimit.raise)
                let program = try program(for: invocation, environment, screenHost)
                defer { program.log.flush() }
                try await body(invocation, program)
            }
        }
    }

    /// Refuses to run without arguments where no screens can be shown; prints help.
    ///
    /// - Throws: ``ProgramError`` `usage`.
    static func check(_ arguments: [String], isTerminal: Bool) throws(ProgramError) {
        guard arguments.isEmpty, !isTerminal else { return }
        Console.note(HelpText.overview)
        throw ProgramError(.usage, "missing COMMAND, e.g. 'hoga watch --once'")
    }

    /// Refuses to run with too few file descriptors; raises the limit if the system permits it.
    ///
    /// Swift's thread pool opens files and ends the process without a message when it cannot.
    ///
    /// - Throws: ``ProgramError`` `unavailable`.
    static func check(
        _ files: OpenFileLimit?,
        raised: () -> OpenFileLimit?
    ) throws(ProgramError) {
        guard let files, files.limit < openFilesMin else { return }
        if let raised = raised(), raised.limit >= openFilesMin { return }
        throw ProgramError(
            .unavailable,
            "the limit of open files is \(files.limit): raise it to \(openFilesMin) or more, "
                + "see 'ulimit -n'"
        )
    }

    /// The least limit of open files: `watch` and `export` have up to 30 open.
    static let openFilesMin = 64

    /// Whether screens can be shown.
    private static func isTerminal(_ screenHost: (any ScreenHost)?) -> Bool {
        screenHost != nil || isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }

    /// Resolves the configuration and opens the log.
    private static func program(
        for invocation: CommandInvocation,
        _ environment: [String: String],
        _ screenHost: (any ScreenHost)?
    ) throws(ProgramError) -> Program {
        let secrets = try SecretFiles.values(environment)
        let configuration = try ConfigurationSources(
            flags: invocation.settings,
            environment: environment,
            secrets: secrets,
            file: try ConfigurationFile.content(environment)
        ).resolve()
        for warning in SecretFiles.warnings(secrets, for: invocation.command.secrets) {
            Console.note("hoga: \(warning)")
        }
        return Program(
            environment: environment,
            configuration: configuration,
            isTerminal: isTerminal(screenHost),
            log: log(of: invocation.command, configuration.logFormat, environment),
            screenHost: screenHost
        )
    }

    private static func log(
        of command: Command,
        _ format: LogFormat,
        _ environment: [String: String]
    ) -> any Log {
        switch command.log {
        case .file:
            guard let folder = FileLog.folder(environment) else { return SilentLog() }
            return FileLog(folder: folder, now: SystemSources.now)
        case .standardError:
            return ServiceLog(
                format,
                to: BufferedOutput(.standardError(), bytesMax: ServiceLog.bytesMax),
                now: SystemSources.now
            )
        }
    }
}
