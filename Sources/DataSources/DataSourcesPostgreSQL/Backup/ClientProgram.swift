import Concurrency
import DataSourceContracts
import Glibc
import Synchronization

/// Runs the programs of PostgreSQL's client package, such as `pg_dump`.
///
/// The address is passed in environment variables, which other users cannot read, so no password
/// appears in a list of processes.
struct ClientProgram: Sendable {
    /// The variables of an address, in addition to those of this process.
    let variables: [String: String]
    private let executor = BlockingExecutor(label: "hoga.client-program")

    /// The most bytes of output and errors that are read; the rest is discarded.
    private static let outputMax = 1 << 20

    init(variables: [String: String]) { self.variables = variables }

    /// Runs a program to its end; a cancelled task ends it with SIGTERM.
    ///
    /// - Parameter arguments: the program, found by the search path, and its arguments.
    /// - Returns: its standard output.
    /// - Throws: ``StoreError``: `unavailable` with the program's errors.
    func run(_ arguments: [String]) async throws(StoreError) -> String {
        let child = Child()
        let result = await withTaskCancellationHandler {
            await executor.run { [variables] in child.run(arguments, variables) }
        } onCancel: {
            child.terminate()
        }
        let name = arguments.first ?? ""
        switch result {
        case .ended(0, let output, _): return output
        case .ended(_, _, let errors):
            // Of several lines the first names the cause.
            let cause = errors.split(separator: "\n").first ?? "it failed without a message"
            throw StoreError(.unavailable, "\(name): \(cause)")
        case .notFound:
            throw StoreError(
                .unavailable,
                "\(name) was not found: install PostgreSQL's client programs, e.g. the package "
                    + "postgresql-client, or add their folder to PATH"
            )
        }
    }

    /// How a program ended.
    private enum Result {
        case ended(Int32, output: String, errors: String)
        case notFound
    }

    /// One run of a program.
    private final class Child: Sendable {
        private struct State {
            /// The identifier while it runs.
            var id: pid_t?
            var isCancelled = false
        }

        private let state = Mutex(State())

        func terminate() {
            state.withLock { state in
                state.isCancelled = true
                if let id = state.id { kill(id, SIGTERM) }
            }
        }

        func run(_ arguments: [String], _ variables: [String: String]) -> Result {
            var (output, errors) = (Pipe(), Pipe())
            guard let id = start(arguments, variables, output: output, errors: errors) else {
                output.close()
                errors.close()
                return .notFound
            }
            output.closeInput()
            errors.closeInput()
            var texts: [[UInt8]] = [[], []]
            ClientProgram.read([output.ends.0, errors.ends.0], into: &texts)
            // Its identifier stays valid for a signal until the second call.
            var ended = unsafe siginfo_t()
            _ = unsafe waitid(P_PID, id_t(id), &ended, WEXITED | WNOWAIT)
            var status: Int32 = 0
            state.withLock { state in
                _ = unsafe waitpid(id, &status, 0)
                state.id = nil
            }
            output.close()
            errors.close()
            return .ended(
                status,
                output: String(decoding: texts[0], as: UTF8.self),
                errors: String(decoding: texts[1], as: UTF8.self)
            )
        }

        private func start(
            _ arguments: [String],
            _ variables: [String: String],
            output: Pipe,
            errors: Pipe
        ) -> pid_t? {
            var actions = unsafe posix_spawn_file_actions_t()
            unsafe posix_spawn_file_actions_init(&actions)
            defer { unsafe posix_spawn_file_actions_destroy(&actions) }
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, output.ends.1, 1)
            unsafe posix_spawn_file_actions_adddup2(&actions, errors.ends.1, 2)
            var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
            var environment =
                unsafe ClientProgram.environment(with: variables)
                .map { unsafe strdup($0) } + [nil]
            defer {
                unsafe words.forEach { unsafe free($0) }
                unsafe environment.forEach { unsafe free($0) }
            }
            var id: pid_t = 0
            let isStarted = state.withLock { state in
                guard !state.isCancelled,
                    unsafe posix_spawnp(&id, arguments[0], &actions, nil, &words, &environment) == 0
                else { return false }
                state.id = id
                return true
            }
            return isStarted ? id : nil
        }
    }

    /// A pipe that other programs do not inherit.
    private struct Pipe {
        private(set) var ends: (Int32, Int32)

        init() {
            var ends: [Int32] = [-1, -1]
            let status = unsafe pipe(&ends)
            precondition(status == 0, "There is no file descriptor left.")
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            self.ends = (ends[0], ends[1])
        }

        mutating func closeInput() {
            if ends.1 >= 0 { Glibc.close(ends.1) }
            ends.1 = -1
        }

        mutating func close() {
            closeInput()
            Glibc.close(ends.0)
        }
    }

    /// This process's environment with variables replaced.
    private static func environment(with variables: [String: String]) -> [String] {
        var list: [String] = variables.map { "\($0.key)=\($0.value)" }
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let line = unsafe String(cString: text)
            let name = String(line.prefix { $0 != "=" })
            if variables[name] == nil { list.append(line) }
            unsafe entry += 1
        }
        return list
    }

    /// Reads several descriptors to their ends.
    private static func read(_ descriptors: [Int32], into texts: inout [[UInt8]]) {
        var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var part = [UInt8](repeating: 0, count: 65_536)
        while polls.contains(where: { $0.fd >= 0 }) {
            guard unsafe poll(&polls, nfds_t(polls.count), -1) >= 0 else { continue }
            for index in polls.indices where polls[index].revents != 0 {
                let count = unsafe Glibc.read(polls[index].fd, &part, part.count)
                if count <= 0 {
                    polls[index].fd = -1
                } else if texts[index].count < outputMax {
                    texts[index] += part[..<count]
                }
            }
        }
    }
}
