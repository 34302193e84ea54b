import CChildProgram
import Glibc

/// A pipe that a program writes to, with the last bytes that were read from it.
///
/// Used from one thread.
final class OutputPipe {
    /// The most reads of ``readRest()``, since others may have the write end and go on writing.
    private static let restReadsMax = 32

    /// The end for this process; reading it never blocks.
    let readEnd: Int32
    /// The end for the program; -1 once closed.
    private(set) var writeEnd: Int32
    private let bytesMax: Int
    private var kept: [UInt8] = []
    private var part = [UInt8](repeating: 0, count: 65_536)

    /// Opens a pipe; nil when the process has no descriptors left.
    init?(bytesMax: Int) {
        var ends: [Int32] = [-1, -1]
        guard unsafe hoga_pipe(&ends) == 0 else { return nil }
        // Below 3 a program's standard descriptors would overwrite it.
        for index in ends.indices where ends[index] < 3 {
            let copy = fcntl(ends[index], F_DUPFD_CLOEXEC, 3)
            close(ends[index])
            ends[index] = copy
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
        self.bytesMax = bytesMax
        _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    }

    deinit {
        closeWriteEnd()
        close(readEnd)
    }

    /// The last bytes, at most as many as are kept.
    var bytes: [UInt8] { Array(kept.suffix(bytesMax)) }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }

    /// Reads once.
    ///
    /// - Returns: whether there may be more, now or later.
    func read() -> Bool {
        let count = unsafe Glibc.read(readEnd, &part, part.count)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
        guard bytesMax > 0 else { return true }
        kept += part[..<count]
        if kept.count > 2 * bytesMax { kept.removeFirst(kept.count - bytesMax) }
        return true
    }

    /// Reads what a program that has ended left in the pipe.
    func readRest() {
        for _ in 0..<Self.restReadsMax {
            var poll = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
            guard unsafe Glibc.poll(&poll, 1, 0) > 0, read() else { return }
        }
    }
}
