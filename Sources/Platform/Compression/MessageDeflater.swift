internal import CZlib
internal import HeapMemory

/// Compresses messages for ``MessageInflater``.
///
/// Unchecked: zlib binds a stream to no thread, and the deflater cannot be copied.
@safe
public struct MessageDeflater: ~Copyable, @unchecked Sendable {
    /// The bytes that one call of zlib makes.
    private static let chunkBytes = 16_384

    // zlib's state points back to it, so it stays in place; freed in `deinit`.
    private let stream: UnsafeMutablePointer<z_stream>
    private let keepsContext: Bool
    private var chunk = [UInt8](repeating: 0, count: chunkBytes)

    /// Makes a deflater.
    ///
    /// - Parameters:
    ///   - keepsContext: whether messages refer to bytes of the ones before them.
    ///   - level: 1 for speed to 9 for size; outside, the nearest bound counts.
    public init(keepsContext: Bool, level: Int) {
        self.keepsContext = keepsContext
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe hoga_deflate_init(stream, Int32(min(9, max(1, level)))) == Z_OK else {
            HeapMemory.endForShortage()
        }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Compresses a whole message.
    public mutating func compressed(_ message: Span<UInt8>) -> [UInt8] {
        // A message of no bytes is an empty block; zlib flushes nothing twice.
        if message.isEmpty { return [0] }
        var output: [UInt8] = []
        // The message stays in place until the closure ends.
        unsafe message.withUnsafeBufferPointer { bytes in
            // zlib only reads its input.
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            unsafe stream.pointee.avail_in = UInt32(bytes.count)
            repeat { deflateInput(to: &output) } while unsafe stream.pointee.avail_out == 0
            unsafe stream.pointee.next_in = nil
        }
        if !keepsContext { unsafe deflateReset(stream) }
        precondition(output.suffix(4) == MessageInflater.tail[...], "A flush ends with its mark.")
        output.removeLast(MessageInflater.tail.count)
        return output
    }

    private mutating func deflateInput(to output: inout [UInt8]) {
        let stream = unsafe self.stream
        let result = unsafe chunk.withUnsafeMutableBufferPointer { chunk in
            unsafe stream.pointee.next_out = chunk.baseAddress
            unsafe stream.pointee.avail_out = UInt32(chunk.count)
            return unsafe deflate(stream, Z_SYNC_FLUSH)
        }
        // Nothing was left to flush if the last call filled the chunk exactly.
        precondition(result == Z_OK || result == Z_BUF_ERROR, "A compressor accepts any bytes.")
        let room = Int(unsafe stream.pointee.avail_out)
        output.append(contentsOf: chunk[..<(Self.chunkBytes - room)])
    }
}
