import Domain
import FileOutput
import FoundationEssentials
import ViewStates
import Synchronization

/// Takes log lines.
protocol Log: Sendable {
    /// Writes one line.
    func write(_ level: LogLevel, _ message: String)
    /// Writes one line with named figures and words, which a format for programs keeps apart.
    func write(_ level: LogLevel, _ message: String, _ fields: [LogField])
    /// How many lines were given up since the start.
    var droppedCount: UInt64 { get }
    /// Waits for what was written, at the end of the program, but not for long.
    func flush()
}

extension Log {
    func write(_ level: LogLevel, _ message: String, _ fields: [LogField]) {
        write(level, LogText.message(message, fields))
    }

    var droppedCount: UInt64 { 0 }

    func flush() {}
}

/// How much a log line matters.
enum LogLevel: String, Sendable {
    case info, warning, error
}

/// Keeps nothing: for a user without a home.
struct SilentLog: Log {
    func write(_ level: LogLevel, _ message: String) {}
}

/// Log lines in a bounded file: those of a terminal, whose screen is taken.
///
/// When the file is full it takes the place of the one before and a new one begins, so that both
/// together never hold more than twice the bound. A log that cannot be written is given up: market
/// data go on.
final class FileLog: Log {
    /// The size of one file.
    static let bytesMax = 1 << 20

    private struct State {
        var output: FileOutput?
        var byteCount: Int
    }

    private let path: String
    private let now: @Sendable () -> Timestamp
    private let state: Mutex<State>

    /// Opens the log below a folder, which is made if need be.
    ///
    /// - Parameters:
    ///   - folder: the folder, `$XDG_STATE_HOME/hoga`.
    ///   - now: the local wall clock.
    init(folder: String, now: @escaping @Sendable () -> Timestamp) {
        path = folder + "/hoga.log"
        self.now = now
        try? FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        state = Mutex(Self.open(path))
    }

    /// The folder for a user's log; nil without a home.
    static func folder(_ environment: [String: String]) -> String? {
        if let folder = environment["XDG_STATE_HOME"], !folder.isEmpty { return folder + "/hoga" }
        guard let home = environment["HOME"], !home.isEmpty else { return nil }
        return home + "/.local/state/hoga"
    }

    func write(_ level: LogLevel, _ message: String) {
        let line = Array("\(TimeText.iso(now())) \(level.rawValue) \(message)\n".utf8)
        state.withLock { state in
            if state.byteCount + line.count > Self.bytesMax { rotate(&state) }
            guard (try? state.output?.write(line)) != nil else { return }
            state.byteCount += line.count
        }
    }

    private func rotate(_ state: inout State) {
        state.output = nil
        try? FileManager.default.removeItem(atPath: path + ".1")
        try? FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        state = Self.open(path)
    }

    private static func open(_ path: String) -> State {
        let output = try? FileOutput(appendingTo: path)
        return State(output: output, byteCount: output?.byteCount ?? 0)
    }
}
