import FoundationEssentials

/// Reads the lines of a mapped file in order, holding one chunk of it at a time.
struct LineReader: Sendable {
    /// Offset of the next line.
    private(set) var offset: Int
    private let data: Data
    private var piece: [UInt8] = []
    private var pieceStart = 0

    /// How much is copied out of the mapping at a time.
    private static let pieceBytes = 262_144
    /// Some editors put this before the first line of a UTF-8 file.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(_ data: Data, offset: Int = 0) {
        self.data = data
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
                line += rest[..<feed]
                offset = pieceStart + feed
                return line
            }
            line += rest
            offset = pieceStart + piece.count
        }
        return line
    }
}
