import Glibc

/// A program that a test starts, without input, whose standard output the test reads.
///
/// Standard input stays open as long as this object, so a program that waits for its end ends with
/// the test. Releasing the object kills a program that still runs.
public final class ChildProcess {
    /// Why a program failed.
    public struct Failure: Error, Sendable {
        /// The command and how it failed.
        public let text: String

        /// Creates a failure.
        public init(text: String) {
            self.text = text
        }
    }

    private let id: pid_t
    private let socket: Int32
    private let name: String
    private var hasEnded = false

    /// Starts a program that is found by the search path.
    public init(_ arguments: [String]) throws(Failure) {
        name = arguments[0]
        let (own, childs) = Self.socketPair()
        socket = own
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, childs, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, childs, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var id: pid_t = 0
        let status = unsafe posix_spawnp(&id, name, &actions, nil, &words, environ)
        for index in unsafe words.indices { unsafe free(words[index]) }
        close(childs)
        self.id = id
        guard status == 0 else {
            hasEnded = true
            throw Failure(text: "\(name) cannot be started: install it")
        }
    }

    deinit {
        close(socket)
        if !hasEnded {
            kill(id, SIGKILL)
            _ = waitpid(id, nil, 0)
        }
    }

    /// Waits for the next line of output.
    public func readLine() throws(Failure) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(socket, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        throw Failure(text: "\(name) ended without output")
    }

    /// Kills the program.
    ///
    /// - Returns: the complete lines of output that were not read yet.
    public func killAtOnce() -> [String] {
        kill(id, SIGKILL)
        _ = waitpid(id, nil, 0)
        hasEnded = true
        var lines: [String] = []
        // The socket has no writer any more, so reading ends.
        while let line = try? readLine() { lines.append(line) }
        return lines
    }

    /// Runs a program to its end.
    ///
    /// - Throws: ``Failure`` unless its exit status is 0.
    public static func run(_ arguments: [String]) throws(Failure) {
        let process = try ChildProcess(arguments)
        var status: Int32 = 0
        _ = unsafe waitpid(process.id, &status, 0)
        process.hasEnded = true
        guard status == 0 else {
            throw Failure(text: "\(arguments.joined(separator: " ")) failed with \(status)")
        }
    }

    /// Runs a program to its end and reads its output and errors.
    ///
    /// - Returns: the output without trailing line feeds.
    /// - Throws: ``Failure`` with the output unless its exit status is 0.
    public static func output(_ arguments: [String]) throws(Failure) -> String {
        // A shell joins the two outputs and executes the program in its place.
        let process = try ChildProcess(["sh", "-c", "exec \"$@\" 2>&1", "sh"] + arguments)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(process.socket, &part, part.count)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        var status: Int32 = 0
        _ = unsafe waitpid(process.id, &status, 0)
        process.hasEnded = true
        while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        let text = String(decoding: bytes, as: UTF8.self)
        guard status == 0 else {
            throw Failure(text: "\(arguments[0]) failed with \(status): \(text)")
        }
        return text
    }

    /// The ends of a connection, closed on exec.
    private static func socketPair() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let status = unsafe socketpair(AF_UNIX, kind, 0, &ends)
        precondition(status == 0, "There is no file descriptor left.")
        return (ends[0], ends[1])
    }
}

/// One test uses a process at a time.
@available(*, unavailable)
extension ChildProcess: Sendable {}
