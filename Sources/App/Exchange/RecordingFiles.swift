import Concurrency
import DataSourcesRecording
import Domain
import FileOutput
import FoundationEssentials
import Synchronization

/// Files that a recording is written to: bounded, the oldest given up when there are too many.
///
/// The newest is always the path itself; when it is full it becomes `name.1.jsonl`, what was that
/// becomes `name.2.jsonl`, and so on. Each of them is a recording of its own.
final class RecordingFiles: TrafficRecorder {
    /// How large and how many files may be.
    struct Bounds: Sendable, Equatable {
        /// The size at which a file is full, in bytes; a single larger line still goes in whole.
        var fileBytesMax: Int
        /// How many files there are at the most, the newest included; at least one.
        var filesMax: Int
    }

    /// How much was written.
    struct Report: Sendable, Equatable {
        /// Lines written since the start, whether their files are still there or not.
        var lines = 0
        /// How often a full file was put aside.
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

    /// Begins a recording in a new file.
    ///
    /// - Parameters:
    ///   - path: the newest file.
    ///   - bounds: how much may be kept.
    ///   - now: the local wall clock.
    ///   - onFailure: called once when nothing more can be written.
    /// - Throws: ``ProgramError`` `usage` when the file exists: two recordings in one file would
    ///   stand years apart; `unavailable` when it cannot be made.
    init(
        path: String,
        bounds: Bounds,
        now: @escaping @Sendable () -> Timestamp,
        onFailure: @escaping @Sendable () -> Void
    ) throws(ProgramError) {
        precondition(bounds.fileBytesMax > 0 && bounds.filesMax > 0, "no room for a recording")
        guard !FileManager.default.fileExists(atPath: path) else {
            throw ProgramError(.usage, "\(path) exists: name a new file, or move that one away")
        }
        self.path = path
        self.bounds = bounds
        self.now = now
        self.onFailure = onFailure
        state = Mutex(State(output: try Self.open(path)))
    }

    /// How much was written so far.
    var report: Report { state.withLock { $0.report } }

    /// What made writing impossible; nothing more is written then.
    var failure: ProgramError? { state.withLock { $0.failure } }

    /// Writes lines with the present time.
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
            let line = RecordingLine.bytes(entry, at: time)
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
                "\(path) takes no more (error \(error.number)): make room and record anew"
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
                "\(path) cannot be written (error \(error.number)): name a file in a folder you own"
            )
        }
    }
}
