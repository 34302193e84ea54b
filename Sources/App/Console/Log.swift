import Domain
import FileOutput
import FoundationEssentials
import ViewStates
import Synchronization

/// A log.
protocol Log: Sendable {
    /// Writes one line.
    func write(_ level: LogLevel, _ message: String)
    /// Writes one line with named fields, which the JSON format keeps separate.
    func write(_ level: LogLevel, _ message: String, _ fields: [LogField])
    /// The number of dropped lines since the start.
    var droppedCount: UInt64 { get }
    /// Waits at the end of the program, within a limit, until all lines are written.
    func flush()
}

extension Log {
    func write(_ level: LogLevel, _ message: String, _ fields: [LogField]) {
        write(level, LogText.message(message, fields))
    }

    var droppedCount: UInt64 { 0 }

    func flush() {}
}

/// The severity of a log line.
enum LogLevel: String, Sendable {
    case info, warning, error
}

/// Drops all lines: for a user without a home folder.
struct SilentLog: Log {
    func write(_ level: LogLevel, _ message: String) {}
}

/// A log in a bounded file, for commands that use the terminal.
///
/// A full file replaces the previous one, so both together never exceed twice the bound. A failed
/// write drops the line and never stops market data.
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

    /// Opens `hoga.log` in a folder, usually `$XDG_STATE_HOME/hoga`, and creates the folder.
    init(folder: String, now: @escaping @Sendable () -> Timestamp) {
        path = folder + "/hoga.log"
        self.now = now
        try? FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        state = Mutex(Self.open(path))
    }

    /// The log folder of the user; nil without a home folder.
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
