import Domain
import FileOutput
import Synchronization

/// Log lines of a service on standard error: nobody who writes one waits for it.
///
/// Bound: ``bytesMax`` bytes of lines that standard error has not taken yet; later ones are given
/// up and counted, and the log says how many as soon as there is room again.
final class ServiceLog: Log {
    /// What may wait, in bytes: some thousand lines.
    static let bytesMax = 1 << 20
    /// How long the end of the program waits for lines to be taken.
    static let endLimit: Duration = .seconds(1)

    private let format: LogFormat
    private let output: BufferedOutput
    private let now: @Sendable () -> Timestamp
    private let toldDrops = Mutex<UInt64>(0)

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - format: how lines are written.
    ///   - output: takes them.
    ///   - now: the local wall clock.
    init(_ format: LogFormat, to output: BufferedOutput, now: @escaping @Sendable () -> Timestamp) {
        self.format = format
        self.output = output
        self.now = now
    }

    /// How many lines were given up since the start.
    var droppedCount: UInt64 { output.droppedCount }

    func write(_ level: LogLevel, _ message: String) { write(level, message, []) }

    func write(_ level: LogLevel, _ message: String, _ fields: [LogField]) {
        guard output.write(LogText.line(format, at: now(), level, message, fields)) else { return }
        let dropped = output.droppedCount
        let untold = toldDrops.withLock { told in
            defer { told = dropped }
            return dropped - min(told, dropped)
        }
        guard untold > 0 else { return }
        let notice = LogText.line(
            format,
            at: now(),
            .warning,
            "log lines dropped",
            [.number("count", untold)]
        )
        output.write(notice)
    }

    func flush() { output.flush(within: Self.endLimit) }
}
