internal import CZlib
internal import HeapMemory

/// Decompresses the messages of one direction of a connection, piece by piece.
///
/// The format of the WebSocket extension permessage-deflate: raw DEFLATE, flushed at the end of
/// each message, less the last four bytes. Source: RFC 7692, section 7.2; zlib 1.2.13, zlib.h.
///
/// Unchecked: zlib binds a stream to no thread, and the inflater cannot be copied.
@safe
public struct MessageInflater: ~Copyable, @unchecked Sendable {
    /// Why a message cannot be decompressed; the inflater cannot continue after that.
    public enum Failure: Error, Sendable, Hashable, CaseIterable {
        /// The bytes are not DEFLATE, or refer to bytes before the first message.
        case corrupt
        /// The message ends within a block.
        case truncated
        /// The message is longer than its limit.
        case tooLarge
    }

    /// What a sender leaves out of the end of each message.
    static let tail: [UInt8] = [0x00, 0x00, 0xff, 0xff]
    /// The bytes that one call of zlib decompresses.
    private static let chunkBytes = 16_384

    // zlib's state points back to it, so it stays in place; freed in `deinit`.
    private let stream: UnsafeMutablePointer<z_stream>
    private let keepsContext: Bool
    private var chunk = [UInt8](repeating: 0, count: chunkBytes)

    /// Makes an inflater.
    ///
    /// - Parameter keepsContext: whether a message may refer to bytes of the ones before it.
    public init(keepsContext: Bool) {
        self.keepsContext = keepsContext
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe hoga_inflate_init(stream) == Z_OK else {
            HeapMemory.endForShortage()
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Decompresses the next part of a message.
    ///
    /// - Parameters:
    ///   - part: any number of its bytes.
    ///   - output: receives the decompressed bytes, also before a failure.
    ///   - countMax: the largest count of `output`, against decompression bombs.
    /// - Throws: `corrupt` or `tooLarge`.
    public mutating func append(
        _ part: Span<UInt8>,
        to output: inout [UInt8],
        countMax: Int
    ) throws(Failure) {
        // The part stays in place until the closure ends.
        try unsafe part.withUnsafeBufferPointer { bytes throws(Failure) in
            // zlib only reads its input.
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            unsafe stream.pointee.avail_in = UInt32(bytes.count)
            defer {
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.avail_in = 0
            }
            try inflateInput(to: &output, countMax: countMax)
        }
    }

    /// Decompresses the end of a message.
    ///
    /// - Parameters:
    ///   - output: receives the last decompressed bytes.
    ///   - countMax: the largest count of `output`.
    /// - Throws: `truncated` if the message ends within a block; `corrupt` or `tooLarge`.
    public mutating func endMessage(
        _ output: inout [UInt8],
        countMax: Int
    ) throws(Failure) {
        try append(Self.tail.span, to: &output, countMax: countMax)
        // Between two blocks, at the start of a byte.
        guard unsafe stream.pointee.data_type & 0xff == 128 else { throw .truncated }
        if !keepsContext { unsafe inflateReset(stream) }
    }

    private mutating func inflateInput(
        to output: inout [UInt8],
        countMax: Int
    ) throws(Failure) {
        let stream = unsafe self.stream
        while true {
            let result = unsafe chunk.withUnsafeMutableBufferPointer { chunk in
                unsafe stream.pointee.next_out = chunk.baseAddress
                unsafe stream.pointee.avail_out = UInt32(chunk.count)
                return unsafe inflate(stream, Z_SYNC_FLUSH)
            }
            let room = Int(unsafe stream.pointee.avail_out)
            let count = Self.chunkBytes - room
            guard count <= countMax - output.count else { throw .tooLarge }
            output.append(contentsOf: chunk[..<count])
            switch result {
            // A sender may end its data with any message; the next block begins anew.
            case Z_STREAM_END: unsafe inflateResetKeep(stream)
            // Without input zlib makes no progress, which is no error.
            case Z_OK, Z_BUF_ERROR: break
            default: throw .corrupt
            }
            let isUsedUp = unsafe stream.pointee.avail_in == 0
            if isUsedUp, room > 0 { return }
        }
    }
}
