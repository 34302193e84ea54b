@testable import App
import DataSourcesRecording
import Domain
@testable import ExchangeSimulator
import FoundationEssentials

extension FuzzTarget {
    /// Recordings: lines are those between line feeds, a line that is read is the same when it is
    /// recorded again, and frames follow each other in time.
    func judgeRecordings(_ input: FuzzInput) throws(FuzzFinding) {
        let bytes = input.bytes
        var reader = LineReader(Data(bytes))
        var found: [(offset: Int, bytes: [UInt8])] = []
        while let line = reader.next() { found.append(line) }
        for line in found {
            try require(bytes.indices.contains(line.offset), "a line outside of the file")
            try require(!line.bytes.contains(0x0a), "a line with a line feed")
            var again = LineReader(Data(bytes), offset: line.offset)
            try requireEqual(again.next()?.bytes, line.bytes, "the line at its offset")
        }
        let expected = bytes.split(separator: 0x0a).count { line in
            let text = line.starts(with: [0xef, 0xbb, 0xbf]) ? line.dropFirst(3) : line
            let content = text.last == 0x0d ? text.dropLast() : text
            return content.contains { $0 != 0x20 && $0 != 0x09 }
        }
        // A mark is one at the start of the file alone, so at most those lines differ.
        try require(found.count >= expected, "\(found.count) lines of \(expected)")
        let lines = found.compactMap { try? RecordedLine.read($0.bytes) }
        for (at, line) in lines { try checkRecorded(line, at) }
        try checkFrames(bytes, lines.map(\.at))
    }

    private func checkRecorded(_ line: RecordedLine, _ at: Timestamp) throws(FuzzFinding) {
        let traffic: Traffic
        switch line {
        case .frame(let text): traffic = .message(text)
        case .rest(let path, let status, let body):
            traffic = .answer(path: path, status: status, body: body)
        case .other: return
        }
        // Times are written with four digits of the year.
        guard (0...9_999).contains(SeoulTime(at).civil.year) else { return }
        let written = RecordingLineEncoder.bytes(traffic, at: at)
        try require(written.last == 0x0a, "a recorded line has no end")
        let again = try? RecordedLine.read(Array(written.dropLast()))
        try requireEqual(again?.line, line, "a line recorded again")
        try requireEqual(again?.at, at, "the time of a line recorded again")
    }

    private func checkFrames(_ bytes: [UInt8], _ times: [Timestamp]) throws(FuzzFinding) {
        guard let start = times.first else { return }
        var frames = RecordedFrames(
            lines: LineReader(Data(bytes)),
            layout: .stamped(start: start)
        )
        var last: Int64 = 0
        var count = 0
        while let frame = frames.next() {
            try require(frame.position >= last, "a frame goes back in time")
            last = frame.position
            count += 1
        }
        try require(count <= times.count, "more frames than lines")
    }
}
