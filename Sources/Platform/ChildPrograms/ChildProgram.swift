import Concurrency
import Glibc

/// A program that runs beside this process, started without a shell.
///
/// The program inherits standard input, output and errors, and no other descriptor. Its output is
/// read while it runs and bounded in memory. The program is reaped before ``run()`` returns,
/// however it ends.
public struct ChildProgram: Sendable {
    /// The program, found by the search path of this process, and its arguments.
    public var arguments: [String]
    /// All of its environment variables.
    public var environment: [String: String]
    /// The bytes that standard input holds; reading beyond them finds the end of the file.
    public var input: [UInt8] = []
    /// The last bytes of standard output that are kept; the ones before are discarded.
    public var outputBytesMax = 0
    /// The last bytes of standard error that are kept.
    public var errorBytesMax = 0
    /// The longest run, after which the program gets SIGTERM; nil for no limit.
    public var timeLimit: Duration?
    /// The time from SIGTERM to SIGKILL.
    public var grace = Duration.seconds(1)
    /// Whether the program leads a session of its own.
    ///
    /// A session has no terminal, signals reach the whole process group, and processes of the group
    /// that outlive the program are killed.
    public var leadsSession = false

    /// Describes a program; `arguments` begins with its name or path.
    public init(_ arguments: [String], environment: [String: String]) {
        precondition(!arguments.isEmpty, "A program has a name.")
        self.arguments = arguments
        self.environment = environment
    }

    /// How a program ended.
    public enum End: Sendable, Hashable {
        /// It ended by itself, with this status.
        case exited(Int32)
        /// A signal with this number ended it.
        case signaled(Int32)
        /// It did not end within its time limit, and was ended.
        case timedOut
        /// The task was cancelled, and the program with it.
        case cancelled
        /// The search path has no such program.
        case notFound
        /// The system refused to start it, with this error number.
        case notStarted(Int32)
    }

    /// The result of a run.
    public struct Result: Sendable, Hashable {
        /// How the program ended.
        public var end: End
        /// The end of its standard output.
        public var output: [UInt8] = []
        /// The end of its standard error.
        public var errors: [UInt8] = []

        /// Makes a result; without output by default.
        public init(_ end: End, output: [UInt8] = [], errors: [UInt8] = []) {
            self.end = end
            self.output = output
            self.errors = errors
        }
    }

    /// Runs the program to its end; a cancelled task ends it as the time limit does.
    ///
    /// Each run takes a thread while it lasts: the caller bounds their number.
    public func run() async -> Result {
        if Task.isCancelled { return Result(.cancelled) }
        guard let cancellation = EventDescriptor() else { return Result(.notStarted(ENFILE)) }
        let executor = BlockingExecutor(label: "hoga.child-program")
        return await withTaskCancellationHandler {
            await executor.run { ChildProcess.run(self, until: cancellation) }
        } onCancel: {
            cancellation.signal()
        }
    }
}
