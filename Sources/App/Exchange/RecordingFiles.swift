import Concurrency
import DataSourcesRecording
import Domain
import FileOutput
import FoundationEssentials
import Synchronization

/// The rotated files of a recording.
///
/// The path itself is the newest file. A full file is renamed to `name.1.jsonl`, that one to
/// `name.2.jsonl`, and so on; the oldest is deleted. Each file is a complete recording.
final class RecordingFiles: TrafficRecorder {
    /// The size and number of files.
    struct Bounds: Sendable, Equatable {
        /// The size of a full file, in bytes; a single longer line is still written.
        var fileBytesMax: Int
        /// The maximum number of files, including the newest; at least one.
        var filesMax: Int
    }

    /// The amount written.
    struct Report: Sendable, Equatable {
        /// Lines since the start, including those of deleted files.
        var lines = 0
        /// Rotations since the start.
        var rotations = 0
    }

    private struct State {
        var output: FileOutput?
        var byteCount = 0
        var report = Report()
        var failure: ProgramError?
    }

    private let path: String
    private let bounds: Bounds
    private let now: @Sendable () -> Timestamp
    private let onFailure: @Sendable () -> Void
    private let executor = BlockingExecutor(label: "hoga.recording")
    private let state: Mutex<State>

    /// Creates the first file.
    ///
    /// - Parameters:
    ///   - path: the newest file.
    ///   - bounds: the size and number of files.
    ///   - now: the local wall clock.
    ///   - onFailure: called once after a failed write, which ends the recording.
    /// - Throws: ``ProgramError``: `usage` for an existing file; `unavailable` if the file cannot
    ///   be created.
    init(
        path: String,
        bounds: Bounds,
        now: @escaping @Sendable () -> Timestamp,
        onFailure: @escaping @Sendable () -> Void
    ) throws(ProgramError) {
        precondition(bounds.fileBytesMax > 0 && bounds.filesMax > 0, "bounds must be positive")
        guard !FileManager.default.fileExists(atPath: path) else {
            throw ProgramError(.usage, "\(path) exists; choose a new file")
        }
        self.path = path
        self.bounds = bounds
        self.now = now
        self.onFailure = onFailure
        state = Mutex(State(output: try Self.open(path)))
    }

    /// The amount written so far.
    var report: Report { state.withLock { $0.report } }

    /// The write error that ended the recording; nil for none.
    var failure: ProgramError? { state.withLock { $0.failure } }

    /// Writes lines with the current time.
    func record(_ traffic: [Traffic]) async {
        let at = now()
        await executor.run {
            let hasFailed = self.state.withLock { state in
                let had = state.failure != nil
                self.write(traffic, at: at, &state)
                return state.failure != nil && !had
            }
            if hasFailed { self.onFailure() }
        }
    }

    private func write(_ traffic: [Traffic], at time: Timestamp, _ state: inout State) {
        var block: [UInt8] = []
        for entry in traffic where state.failure == nil {
            let line = RecordingLineEncoder.bytes(entry, at: time)
            let held = state.byteCount + block.count
            if held > 0, held + line.count > bounds.fileBytesMax {
                write(&block, &state)
                rotate(&state)
            }
            block += line
            state.report.lines += 1
        }
        write(&block, &state)
    }

    private func write(_ block: inout [UInt8], _ state: inout State) {
        guard state.failure == nil, !block.isEmpty else { return }
        do throws(FileOutput.Failure) {
            try state.output?.write(block)
            state.byteCount += block.count
        } catch {
            state.failure = ProgramError(
                .unavailable,
                "cannot write \(path) (errno \(error.number)); free some space and record again"
            )
            state.output = nil
        }
        block = []
    }

    private func rotate(_ state: inout State) {
        guard state.failure == nil else { return }
        state.output = nil
        let files = FileManager.default
        try? files.removeItem(atPath: numbered(bounds.filesMax - 1))
        for number in stride(from: bounds.filesMax - 2, through: 0, by: -1) {
            try? files.moveItem(atPath: numbered(number), toPath: numbered(number + 1))
        }
        do throws(ProgramError) {
            state.output = try Self.open(path)
            state.byteCount = 0
            state.report.rotations += 1
        } catch {
            state.failure = error
        }
    }

    /// The path of a file by its age: 0 is the newest.
    private func numbered(_ number: Int) -> String {
        guard number > 0 else { return path }
        let suffix = ".jsonl"
        let stem = path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : path
        return "\(stem).\(number)\(suffix)"
    }

    private static func open(_ path: String) throws(ProgramError) -> FileOutput {
        do throws(FileOutput.Failure) {
            return try FileOutput(appendingTo: path)
        } catch {
            throw ProgramError(
                .unavailable,
                "cannot write \(path) (errno \(error.number)); choose a writable folder"
            )
        }
    }
}
