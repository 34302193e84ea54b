import FoundationEssentials

/// Reads the lines of a mapped file in order, holding one chunk of it at a time.
///
/// A line of more bytes than the limit is cut, which makes a recorded line unreadable.
struct LineReader: Sendable {
    /// Offset of the next line.
    private(set) var offset: Int
    private let data: Data
    private let lineBytesMax: Int
    private var piece: [UInt8] = []
    private var pieceStart = 0

    /// More than `hoga exchange record` writes for the largest answer that hoga reads.
    static let lineBytesMax = 64 << 20
    /// How much is copied out of the mapping at a time.
    private static let pieceBytes = 262_144
    /// Some editors put this before the first line of a UTF-8 file.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(_ data: Data, offset: Int = 0, lineBytesMax: Int = Self.lineBytesMax) {
        self.data = data
        self.lineBytesMax = lineBytesMax
        self.offset = offset
    }

    /// The next line without its terminator, skipping blank lines; nil at the end of the file.
    mutating func next() -> (offset: Int, bytes: [UInt8])? {
        while offset < data.count {
            let start = offset
            var line = nextPart()
            offset += 1
            if start == 0, line.starts(with: Self.byteOrderMark) { line.removeFirst(3) }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
                return (start, line)
            }
        }
        return nil
    }

    /// The bytes up to the next line feed or the end; advances `offset` to it.
    private mutating func nextPart() -> [UInt8] {
        var line: [UInt8] = []
        while offset < data.count {
            if offset < pieceStart || offset >= pieceStart + piece.count {
                pieceStart = offset
                let from = data.startIndex + offset
                let to = min(from + Self.pieceBytes, data.endIndex)
                piece = [UInt8](data[from..<to])
            }
            let rest = piece[(offset - pieceStart)...]
            if let feed = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<feed].prefix(lineBytesMax - line.count)
                offset = pieceStart + feed
                return line
            }
            line += rest.prefix(lineBytesMax - line.count)
            offset = pieceStart + piece.count
        }
        return line
    }
}
