/// Reads the body of one request, with a length or in chunks, and enforces its limit.
///
/// Chunks are read as RFC 9112, 7.1 writes them: lines end with CRLF, and no blank follows a size.
/// Extensions and trailer fields are checked and dropped.
struct BodyReader {
    /// The state after a read.
    enum Progress {
        /// More bytes are needed.
        case incomplete
        /// The body is complete.
        case complete
        /// The body exceeds the limit.
        case tooLong
        /// Its chunks are malformed.
        case malformed
    }

    /// The part that the next byte belongs to.
    private enum Step {
        /// The bytes of a body with a length, or of a chunk.
        case data
        /// The CR and the LF behind a chunk's bytes.
        case dataEnd, dataLineFeed
        /// The hexadecimal size of a chunk, from its second digit on ended by `;` or CR.
        case sizeStart, size
        /// The extension of a chunk, and the LF of its line.
        case `extension`, sizeLineFeed
        /// A trailer field, or the empty line that ends the body.
        case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed
        case complete
    }

    /// The bytes read so far.
    private(set) var bytes: [UInt8] = []
    private let bytesMax: Int
    private var step: Step
    private let isChunked: Bool
    /// Bytes left of the body or the chunk.
    private var left = 0
    /// Bytes of sizes, extensions and trailer fields.
    private var overhead = 0

    /// The most bytes of extensions and trailer fields, and of the digits and line ends of chunks,
    /// beyond as many as the body may have: chunks of one byte are accepted.
    private static let overheadBytesMax = 8_192
    /// Bytes of the framing of a chunk of one byte: digit and two line ends.
    private static let chunkOverhead = 5

    /// Begins a body with a length.
    init(length: Int, bytesMax: Int) {
        self.bytesMax = bytesMax
        isChunked = false
        left = length
        step = length == 0 ? .complete : .data
    }

    /// Begins a body in chunks.
    init(chunksOf bytesMax: Int) {
        self.bytesMax = bytesMax
        isChunked = true
        step = .sizeStart
    }

    /// Reads as much of the input as belongs to the body.
    ///
    /// - Parameters:
    ///   - input: the received bytes.
    ///   - start: the first unread byte; advanced behind the bytes that were read.
    /// - Returns: whether the body is complete, incomplete or malformed.
    mutating func read(_ input: [UInt8], from start: inout Int) -> Progress {
        while start < input.count, step != .complete {
            if step == .data {
                let count = min(left, input.count - start)
                bytes += input[start..<start + count]
                start += count
                left -= count
                if left == 0 { step = isChunked ? .dataEnd : .complete }
                continue
            }
            overhead += 1
            guard overhead <= Self.overheadBytesMax + Self.chunkOverhead * bytesMax,
                let next = step(after: input[start])
            else { return .malformed }
            // The size is known at the end of its line; more than the limit is not received.
            if next == .data, left > bytesMax - bytes.count { return .tooLong }
            step = next
            start += 1
        }
        return step == .complete ? .complete : .incomplete
    }

    /// The step behind a byte of the framing; nil if the byte is invalid.
    private mutating func step(after byte: UInt8) -> Step? {
        switch step {
        case .dataEnd: return byte == Self.carriageReturn ? .dataLineFeed : nil
        case .dataLineFeed: return byte == Self.lineFeed ? .sizeStart : nil
        case .sizeStart, .size:
            if let digit = PercentDecoding.digit(byte) {
                // A size beyond the limit needs no precise value.
                left = min(left << 4 | Int(digit), Int(UInt32.max))
                return .size
            }
            guard step == .size else { return nil }
            if byte == UInt8(ascii: ";") { return .extension }
            return byte == Self.carriageReturn ? .sizeLineFeed : nil
        case .extension:
            if byte == Self.carriageReturn { return .sizeLineFeed }
            return RequestGrammar.isValueByte(byte) ? .extension : nil
        case .sizeLineFeed:
            guard byte == Self.lineFeed else { return nil }
            return left == 0 ? .trailerStart : .data
        case .trailerStart:
            if byte == Self.carriageReturn { return .lastLineFeed }
            return RequestGrammar.isTokenByte(byte) ? .trailerName : nil
        case .trailerName:
            if byte == UInt8(ascii: ":") { return .trailerValue }
            return RequestGrammar.isTokenByte(byte) ? .trailerName : nil
        case .trailerValue:
            if byte == Self.carriageReturn { return .trailerLineFeed }
            return RequestGrammar.isValueByte(byte) ? .trailerValue : nil
        case .trailerLineFeed: return byte == Self.lineFeed ? .trailerStart : nil
        case .lastLineFeed: return byte == Self.lineFeed ? .complete : nil
        case .data, .complete: return nil
        }
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")
}
