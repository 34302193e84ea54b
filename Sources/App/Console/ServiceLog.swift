import Domain
import FileOutput
import Synchronization

/// The log of a service on standard error.
///
/// Writing never blocks.
///
/// Bound: ``bytesMax`` bytes of unwritten lines. Later lines are dropped and counted; the log
/// reports the count with the next line that fits.
final class ServiceLog: Log {
    /// The maximum unwritten bytes, some thousand lines.
    static let bytesMax = 1 << 20
    /// The time limit for unwritten lines at the end of the program.
    static let endLimit: Duration = .seconds(1)

    private let format: LogFormat
    private let output: BufferedOutput
    private let now: @Sendable () -> Timestamp
    private let reportedDrops = Mutex<UInt64>(0)

    /// Makes a log with a line format.
    init(_ format: LogFormat, to output: BufferedOutput, now: @escaping @Sendable () -> Timestamp) {
        self.format = format
        self.output = output
        self.now = now
    }

    /// The number of dropped lines since the start.
    var droppedCount: UInt64 { output.droppedCount }

    func write(_ level: LogLevel, _ message: String) { write(level, message, []) }

    func write(_ level: LogLevel, _ message: String, _ fields: [LogField]) {
        guard output.write(LogText.line(format, at: now(), level, message, fields)) else { return }
        let dropped = output.droppedCount
        let unreported = reportedDrops.withLock { reported in
            defer { reported = dropped }
            return dropped - min(reported, dropped)
        }
        guard unreported > 0 else { return }
        let notice = LogText.line(
            format,
            at: now(),
            .warning,
            "log lines dropped",
            [.number("count", unreported)]
        )
        output.write(notice)
    }

    func flush() { output.flush(within: Self.endLimit) }
}
