import CChildProgram
import Concurrency
import Glibc
import SharedMemory

/// One run of a program, from its start until it is reaped; blocks its thread.
///
/// Safe, because the identifier is signaled only before the process is reaped, and its descriptor
/// is closed once, at the end of life.
struct ChildProcess: ~Copyable {
    private let program: ChildProgram
    private let id: pid_t
    /// Readable once the process has ended.
    private let descriptor: Int32
    private let pipes: (output: OutputPipe, errors: OutputPipe)
    /// Why it was asked to end.
    private var interruption: ChildProgram.End?
    /// When it gets the next signal; nil for never.
    private var signalAt: Duration?

    /// Runs a program until it ends, or until `cancellation` is signaled.
    static func run(
        _ program: ChildProgram,
        until cancellation: EventDescriptor
    ) -> ChildProgram.Result {
        guard let input = MemoryFile(program.input),
            let output = OutputPipe(bytesMax: program.outputBytesMax),
            let errors = OutputPipe(bytesMax: program.errorBytesMax)
        else { return ChildProgram.Result(.notStarted(ENFILE)) }
        // Written to its end: the program reads it from the start.
        lseek(input.descriptor, 0, SEEK_SET)
        var id: pid_t = 0
        let status = ProgramStart(program, input: input.descriptor, output, errors).perform(&id)
        output.closeWriteEnd()
        errors.closeWriteEnd()
        guard status == 0 else {
            return ChildProgram.Result(status == ENOENT ? .notFound : .notStarted(status))
        }
        var process = ChildProcess(program, id, (output, errors))
        return process.watch(until: cancellation)
    }

    private init(
        _ program: ChildProgram,
        _ id: pid_t,
        _ pipes: (output: OutputPipe, errors: OutputPipe)
    ) {
        self.program = program
        self.id = id
        self.pipes = pipes
        descriptor = pidfd_open(id, 0)
        signalAt = program.timeLimit.map { Self.uptime + $0 }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads output and sends signals until the process ends; then reaps it.
    private mutating func watch(until cancellation: EventDescriptor) -> ChildProgram.Result {
        guard descriptor >= 0 else {
            send(SIGKILL)
            _ = reap()
            return ChildProgram.Result(.notStarted(ENFILE))
        }
        var polls = [
            pipes.output.readEnd, pipes.errors.readEnd, descriptor, cancellation.descriptor,
        ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            _ = unsafe poll(&polls, nfds_t(polls.count), milliseconds)
            if polls[0].revents != 0, !pipes.output.read() { polls[0].fd = -1 }
            if polls[1].revents != 0, !pipes.errors.read() { polls[1].fd = -1 }
            if polls[2].revents != 0 { break }
            if polls[3].revents != 0 {
                polls[3].fd = -1
                polls[3].revents = 0
                if interruption == nil { interrupt(.cancelled) }
            }
            if let moment = signalAt, Self.uptime >= moment {
                if interruption == nil {
                    interrupt(.timedOut)
                } else {
                    send(SIGKILL)
                    signalAt = nil
                }
            }
        }
        // The identifier is free for other processes only after the reaping.
        if program.leadsSession { send(SIGKILL) }
        pipes.output.readRest()
        pipes.errors.readRest()
        let end = reap()
        return ChildProgram.Result(
            interruption ?? end,
            output: pipes.output.bytes,
            errors: pipes.errors.bytes
        )
    }

    private mutating func interrupt(_ reason: ChildProgram.End) {
        interruption = reason
        signalAt = Self.uptime + program.grace
        send(SIGTERM)
    }

    private func send(_ signal: Int32) { kill(program.leadsSession ? -id : id, signal) }

    private func reap() -> ChildProgram.End {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        // The status as wait(2) encodes it: a signal in the low bits, else the exit status above.
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
    }

    /// The time until the next signal, for poll(2); -1 for no limit.
    private var milliseconds: Int32 {
        guard let signalAt else { return -1 }
        let rest = max(signalAt - Self.uptime, .zero)
        // Rounded up, so that no poll returns just before the moment.
        return Int32(clamping: rest / .milliseconds(1) < 1 ? 1 : Int64(rest / .milliseconds(1)) + 1)
    }

    private static var uptime: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// The start of a program with posix_spawn(3).
private struct ProgramStart {
    private let program: ChildProgram
    /// The descriptors that become 0, 1 and 2.
    private let standard: [Int32]

    init(_ program: ChildProgram, input: Int32, _ output: OutputPipe, _ errors: OutputPipe) {
        self.program = program
        standard = [input, output.writeEnd, errors.writeEnd]
    }

    /// Starts the program.
    ///
    /// - Parameter id: gets the identifier of the process.
    /// - Returns: 0, or an error number.
    func perform(_ id: inout pid_t) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in zip(Int32(0)..., standard) {
            unsafe posix_spawn_file_actions_adddup2(&actions, source, target)
        }
        unsafe hoga_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        setSignals(&attributes)
        var words = unsafe program.arguments.map { unsafe strdup($0) } + [nil]
        var variables =
            unsafe program.environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            unsafe words.forEach { unsafe free($0) }
            unsafe variables.forEach { unsafe free($0) }
        }
        return unsafe posix_spawnp(
            &id,
            program.arguments[0],
            &actions,
            &attributes,
            &words,
            &variables
        )
    }

    /// Undoes what this process ignores and blocks: a program expects its signals to work.
    private func setSignals(_ attributes: inout posix_spawnattr_t) {
        var all = sigset_t()
        var none = sigset_t()
        unsafe sigfillset(&all)
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        var flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        if program.leadsSession { flags |= hoga_spawn_session }
        unsafe posix_spawnattr_setflags(&attributes, flags)
    }
}
