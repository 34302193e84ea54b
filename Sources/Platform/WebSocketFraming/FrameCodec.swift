import CWSLay
import Compression
import HeapMemory

/// Encodes and decodes frames with wslay: headers, lengths and masks, without rules about messages.
///
/// Owns its wslay context. Unchecked: wslay binds a context to no thread, and the codec cannot be
/// copied, so no other code reaches it.
@safe
struct FrameCodec: ~Copyable, @unchecked Sendable {
    /// The opcodes of sent frames.
    enum SentOpcode: UInt8 {
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xa
    }

    /// The result of one decoding step.
    enum Step {
        /// The bytes are used up.
        case wantsMore
        /// The header breaks a rule that wslay checks.
        case malformed
        /// A part of a frame's payload, or all of it.
        case chunk(FrameChunk)
    }

    // Freed in `deinit`; it never leaves this type.
    private let context: OpaquePointer
    private let buffers: FrameBuffers
    private let isMasking: Bool

    /// Makes a codec; one with a source of masking keys masks its frames.
    init(maskKey: (@Sendable () -> UInt32)?) {
        buffers = FrameBuffers(maskKey: maskKey)
        isMasking = maskKey != nil
        // wslay copies the callbacks; the buffers live as long as the context.
        var callbacks = unsafe wslay_frame_callbacks(
            send_callback: sendIntoBuffers,
            recv_callback: receiveFromBuffers,
            genmask_callback: maskFromBuffers
        )
        var made: OpaquePointer?
        let status = unsafe wslay_frame_context_init(
            &made,
            &callbacks,
            Unmanaged.passUnretained(buffers).toOpaque()
        )
        guard status == 0, let made = unsafe made else {
            HeapMemory.endForShortage()
        }
        unsafe context = made
    }

    deinit {
        unsafe wslay_frame_context_free(context)
    }

    /// The bytes of pending output.
    var outputCount: Int { buffers.output.count }

    /// Takes the frames that were appended since the last call.
    mutating func takeOutput() -> [UInt8] {
        let output = buffers.output
        buffers.output = []
        return output
    }

    /// Sets the input of `next()`; the bytes must stay in place until `clearInput()`.
    @unsafe
    mutating func setInput(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe buffers.input = bytes
    }

    /// Forgets the input.
    mutating func clearInput() {
        unsafe buffers.input = UnsafeBufferPointer(start: nil, count: 0)
    }

    /// Decodes the next step; a chunk's bytes are valid until the next call.
    mutating func next() -> Step {
        // wslay fills the block whenever it returns a count.
        var block = unsafe wslay_frame_iocb()
        let count = unsafe wslay_frame_recv(context, &block)
        if count == Int(WSLAY_ERR_WANT_READ.rawValue) { return .wantsMore }
        guard count >= 0 else { return .malformed }
        return unsafe .chunk(FrameChunk(block))
    }

    /// Appends one whole frame to the output.
    mutating func append(
        _ opcode: SentOpcode,
        _ payload: Span<UInt8>,
        isCompressed: Bool = false
    ) {
        // wslay copies the payload through the send callback before it returns.
        unsafe payload.withUnsafeBufferPointer { bytes in
            var block = unsafe wslay_frame_iocb(
                fin: 1,
                rsv: isCompressed ? 4 : 0,
                opcode: opcode.rawValue,
                payload_length: UInt64(bytes.count),
                mask: isMasking ? 1 : 0,
                data: bytes.baseAddress,
                data_length: bytes.count
            )
            let sent = unsafe wslay_frame_send(context, &block)
            precondition(sent == bytes.count, "wslay accepts every frame that fits in memory.")
        }
    }
}

/// A part of one frame.
@safe
struct FrameChunk {
    /// Whether the frame ends its message.
    let isFinal: Bool
    /// The three reserved bits.
    let reservedBits: UInt8
    /// The four bits of the opcode.
    let opcode: UInt8
    /// Whether the sender masked the frame.
    let isMasked: Bool
    /// The payload length of the whole frame in bytes.
    let payloadBytes: UInt64
    // Points into wslay's buffer until the next step; only `append(to:)` reads it.
    private let data: UnsafeBufferPointer<UInt8>

    /// Wraps a block of wslay.
    init(_ block: wslay_frame_iocb) {
        isFinal = unsafe block.fin != 0
        reservedBits = unsafe block.rsv
        opcode = unsafe block.opcode
        isMasked = unsafe block.mask != 0
        payloadBytes = unsafe block.payload_length
        unsafe data = UnsafeBufferPointer(start: block.data, count: block.data_length)
    }

    /// The payload bytes of this chunk.
    var count: Int { unsafe data.count }

    /// Copies the chunk's bytes to the end of an array.
    func append(to bytes: inout [UInt8]) {
        unsafe bytes.append(contentsOf: data)
    }

    /// Decompresses the chunk's bytes to the end of an array.
    func append(
        to bytes: inout [UInt8],
        through inflater: inout MessageInflater,
        countMax: Int
    ) throws(MessageInflater.Failure) {
        // wslay's buffer stays in place until the next step.
        try inflater.append(unsafe data.span, to: &bytes, countMax: countMax)
    }
}

/// The buffers that wslay's callbacks read and write.
@safe
private final class FrameBuffers {
    // Set between `setInput` and `clearInput` only, while its memory is pinned.
    var input = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var output: [UInt8] = []
    let maskKey: (@Sendable () -> UInt32)?

    init(maskKey: (@Sendable () -> UInt32)?) {
        self.maskKey = maskKey
    }
}

// MARK: Callbacks. Safe: the context is the buffers of the calling codec, which are alive.

private func receiveFromBuffers(
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ capacity: Int,
    _ flags: CInt,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
    let buffers = unsafe Unmanaged<FrameBuffers>.fromOpaque(context).takeUnretainedValue()
    let count = unsafe min(capacity, buffers.input.count)
    guard count > 0, let start = unsafe buffers.input.baseAddress else { return -1 }
    unsafe buffer.update(from: start, count: count)
    unsafe buffers.input = UnsafeBufferPointer(rebasing: buffers.input.dropFirst(count))
    return count
}

private func sendIntoBuffers(
    _ data: UnsafePointer<UInt8>?,
    _ count: Int,
    _ flags: CInt,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return -1 }
    let buffers = unsafe Unmanaged<FrameBuffers>.fromOpaque(context).takeUnretainedValue()
    unsafe buffers.output.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
    return count
}

private func maskFromBuffers(
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> CInt {
    guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
    let buffers = unsafe Unmanaged<FrameBuffers>.fromOpaque(context).takeUnretainedValue()
    guard let maskKey = buffers.maskKey else { return -1 }
    let key = maskKey()
    // wslay requests the four bytes of one key.
    for index in 0..<count { unsafe buffer[index] = UInt8(truncatingIfNeeded: key >> (8 * index)) }
    return 0
}
