import Domain
import FoundationEssentials

/// A recording on disk: a `.jsonl` file, or a folder with `rest/…` and `frames.jsonl`.
///
/// Files are mapped and read in place, so their size does not matter. Memory holds one entry of 16
/// bytes for each recorded REST answer and a chunk of 256 KiB for each playing connection. A file
/// must not be truncated while it is played. Unreadable lines are skipped and counted; a recording
/// without a readable line is refused.
struct Recording: Sendable {
    /// Location of a recorded answer.
    private struct Answer: Sendable {
        /// When it was recorded, in microseconds since the first line.
        var position: Int64
        var offset: Int
    }

    /// The stream messages, and in a `.jsonl` file the REST answers between them.
    private let lines: Data
    private let layout: Layout
    /// Answers by path, oldest first.
    private var answers: [String: [Answer]] = [:]
    /// Files of answers by path; empty for a `.jsonl` file.
    private var files: [String: String] = [:]
    private(set) var skippedLines = 0

    /// How the times of messages are known.
    enum Layout: Sendable {
        /// Each line has its recording time; `start` is the first one's.
        case stamped(start: Timestamp)
        /// Every line is a stream message, at equal distances.
        case plain
    }

    /// Distance of the messages of a folder: a hundred a second.
    static let plainMicroseconds: Int64 = 10_000

    /// Opens a recording and reads it once.
    ///
    /// - Throws: `badRecording` with file, line and remedy.
    init(path: String) throws(ExchangeSimulatorError) {
        if Self.isFolder(path) {
            try self.init(folder: path)
        } else {
            try self.init(file: path)
        }
    }

    // MARK: REST

    /// The newest answer at a position, or the first one recorded for the path.
    ///
    /// - Returns: nil if the path was never recorded.
    func answer(
        path: String,
        at position: Int64
    ) -> (status: Int, body: [UInt8])? {
        if let file = files[path] {
            guard let data = try? Data(contentsOf: URL(filePath: file)) else { return nil }
            return (200, [UInt8](data))
        }
        guard let list = answers[path], let first = list.first else { return nil }
        // Binary search for the first answer that is too new.
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].position <= position { low = middle + 1 } else { high = middle }
        }
        let chosen = low > 0 ? list[low - 1] : first
        var cursor = LineReader(lines, offset: chosen.offset)
        guard let line = cursor.next(),
            case .rest(_, let status, let body)? = try? RecordedLine.read(line.bytes).line
        else { return nil }
        return (status, body)
    }

    // MARK: Frames

    /// An iterator over the messages from the beginning.
    var frames: RecordedFrames { RecordedFrames(lines: LineReader(lines), layout: layout) }

    // MARK: Opening

    private init(file path: String) throws(ExchangeSimulatorError) {
        lines = try Self.map(path)
        var cursor = LineReader(lines)
        var start: Timestamp?
        var newest: Int64 = 0
        var lineNumber = 0
        var firstFault: (line: Int, fault: RecordedLine.Fault)?
        while let line = cursor.next() {
            lineNumber += 1
            do throws(RecordedLine.Fault) {
                let (at, content) = try RecordedLine.read(line.bytes)
                if start == nil { start = at }
                // A time that goes back counts as the newest so far: lines keep their order.
                newest = max(newest, at.microseconds - (start ?? at).microseconds)
                if case .rest(let path, _, _) = content {
                    // Query parameters are not distinguished.
                    let plain = String(path.prefix { $0 != "?" })
                    answers[plain, default: []].append(
                        Answer(position: newest, offset: line.offset)
                    )
                }
            } catch {
                skippedLines += 1
                if firstFault == nil { firstFault = (lineNumber, error) }
            }
        }
        guard let start else {
            throw .badRecording(Self.text(path: path, fault: firstFault))
        }
        layout = .stamped(start: start)
    }

    private init(folder path: String) throws(ExchangeSimulatorError) {
        let frames = path + "/frames.jsonl"
        lines = FileManager.default.fileExists(atPath: frames) ? try Self.map(frames) : Data()
        layout = .plain
        let root = path + "/rest"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        for name in names where name.hasSuffix(".json") {
            files["/" + name.dropLast(".json".count)] = root + "/" + name
        }
        if lines.isEmpty, files.isEmpty {
            throw .badRecording(
                "\(path) is not a recording: a folder needs frames.jsonl or rest/….json"
            )
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    private static func map(_ path: String) throws(ExchangeSimulatorError) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        } catch {
            throw .badRecording(
                "\(path) cannot be read: give a recording (.jsonl) or its folder"
            )
        }
    }

    private static func text(
        path: String,
        fault: (line: Int, fault: RecordedLine.Fault)?
    ) -> String {
        guard let fault else {
            return "\(path) is empty: give a file written by `hoga exchange record`"
        }
        let reason =
            switch fault.fault {
            case .notAnObject: "is not a JSON object"
            case .noTime: "has no time with an offset in \"at\""
            case .incomplete: "lacks text, or path, status and body"
            }
        return "\(path) is not a recording: line \(fault.line) \(reason); "
            + "give a file written by `hoga exchange record`"
    }
}

/// An iterator over the stream messages of a recording.
struct RecordedFrames: Sendable {
    private var lines: LineReader
    private let layout: Recording.Layout
    private var position: Int64 = 0
    private var count: Int64 = 0

    init(lines: LineReader, layout: Recording.Layout) {
        self.lines = lines
        self.layout = layout
    }

    /// The next message and its recording time, in microseconds since the beginning; nil at the
    /// end.
    mutating func next() -> (position: Int64, text: [UInt8])? {
        while let line = lines.next() {
            switch layout {
            case .plain:
                defer { count += 1 }
                return (count * Recording.plainMicroseconds, line.bytes)
            case .stamped(let start):
                guard let (at, content) = try? RecordedLine.read(line.bytes) else { continue }
                position = max(position, at.microseconds - start.microseconds)
                if case .frame(let text) = content { return (position, text) }
            }
        }
        return nil
    }
}
