import Dispatch
import Glibc
import Synchronization

/// A terminal without a window: what a program writes to it is read here, and what is written here
/// is typed there.
final class PseudoTerminal: Sendable {
    /// The file by which a program opens it.
    let path: String
    private let master: Int32
    /// Held open so that the modes can be looked at after the program's end.
    private let slave: Int32
    /// Whether it answers a device attributes query, as all terminals do.
    private let answers: Bool

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(columns: UInt16 = 60, rows: UInt16 = 12, answers: Bool = true) throws {
        self.answers = answers
        // posix_openpt and its sisters are not in Glibc's module; on Linux this is what they do,
        // with TIOCSPTLCK to unlock it and TIOCGPTN for its number.
        let unlock: UInt = 0x4004_5431
        let numbered: UInt = 0x8004_5430
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        var isLocked: Int32 = 0
        guard master >= 0, unsafe ioctl(master, unlock, &isLocked) == 0,
            unsafe ioctl(master, numbered, &number) == 0
        else { throw Failure(description: "no terminal can be made: \(errno)") }
        path = "/dev/pts/\(number)"
        slave = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        resize(columns: columns, rows: rows)
    }

    deinit {
        close(slave)
        close(master)
    }

    /// Gives the window another size; the programs on it get SIGWINCH.
    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Disconnects the terminal, as closing its window does.
    func hangUp() {
        let nothing = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        dup2(nothing, master)
        close(nothing)
    }

    /// Types.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe write(master, bytes, bytes.count)
    }

    /// The modes that a shell would find.
    var modes: [tcflag_t] {
        var modes = termios()
        unsafe tcgetattr(slave, &modes)
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }

    /// The number of unread input bytes, which a shell would receive.
    var waitingBytes: Int32 {
        // Without lines, as a shell reads what is typed; else only whole ones would count.
        var modes = termios()
        unsafe tcgetattr(slave, &modes)
        modes.c_lflag &= ~tcflag_t(ICANON)
        unsafe tcsetattr(slave, TCSANOW, &modes)
        var count: Int32 = 0
        _ = unsafe ioctl(slave, UInt(FIONREAD), &count)
        return count
    }

    /// Everything that was written and not read yet.
    func readAll() -> String {
        var text: [UInt8] = []
        while let more = readSome(within: 0) { text += more }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads until a text was written, then types.
    ///
    /// - Returns: what was written, up to and beyond the text.
    @discardableResult
    func read(until text: String, thenType keys: String = "") throws -> String {
        var seen: [UInt8] = []
        // Five minutes in which nothing is written are the end of hope, even on a busy machine.
        var silences = 0
        while !String(decoding: seen, as: UTF8.self).contains(text), silences < 3_000 {
            if let more = readSome(within: 100) {
                answer(more, after: seen)
                seen += more
            } else {
                silences += 1
            }
        }
        let all = String(decoding: seen, as: UTF8.self)
        guard all.contains(text) else {
            // The program would block on the next key.
            hangUp()
            throw Failure(description: "\(text) was not written, but: \(all.debugDescription)")
        }
        type(keys)
        return all
    }

    /// Begins to use the terminal as a person would, on a thread of its own.
    ///
    /// Not a task: while a test waits for a process, it holds a thread of Swift's shared pool, and
    /// there are only as many as cores.
    func use(_ steps: @escaping @Sendable (PseudoTerminal) throws -> String) -> Use {
        let use = Use()
        DispatchQueue(label: "hoga.test.terminal").async {
            use.end(Result { try steps(self) })
        }
        return use
    }

    /// The outcome of a scripted terminal session.
    final class Use: Sendable {
        private let result = Mutex<Result<String, any Error>?>(nil)
        private let hasEnded = DispatchSemaphore(value: 0)

        fileprivate func end(_ result: Result<String, any Error>) {
            self.result.withLock { $0 = result }
            hasEnded.signal()
        }

        /// The results of the steps, available once the program has ended.
        func text() throws -> String {
            hasEnded.wait()
            return try result.withLock { $0 }?.get() ?? ""
        }
    }

    /// Answers the questions that are whole with what has come last.
    private func answer(_ more: [UInt8], after seen: [UInt8]) {
        let question = Array("\u{1B}[c".utf8)
        let newest = seen.suffix(question.count - 1) + more
        guard answers, newest.count >= question.count else { return }
        for start in newest.indices.dropLast(question.count - 1)
        where newest[start...].starts(with: question) {
            type("\u{1B}[?62;22c")
        }
    }

    private func readSome(within milliseconds: Int32) -> [UInt8]? {
        var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&descriptor, 1, milliseconds) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe Glibc.read(master, &buffer, buffer.count)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }
}

/// Makes a terminal the one of this process, as a shell does for the program it starts.
func adoptTerminal(_ path: String, type: String = "xterm-256color") {
    _ = unsafe setenv("TERM", type, 1)
    // A session of its own, whose first terminal is the one that sends it signals.
    setsid()
    let terminal = unsafe open(path, O_RDWR)
    precondition(terminal >= 0, "\(path) cannot be opened")
    dup2(terminal, STDIN_FILENO)
    dup2(terminal, STDOUT_FILENO)
}
