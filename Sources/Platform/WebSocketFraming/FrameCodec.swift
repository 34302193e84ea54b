import CWSLay

/// The bits of frames, by wslay: headers, lengths and masks, without any rule about messages.
///
/// It is the one owner of its wslay context, which it frees. Unchecked: wslay ties a context to no
/// thread, and nobody else can reach this one because the codec cannot be copied.
@safe
struct FrameCodec: ~Copyable, @unchecked Sendable {
    /// The kinds of frames that are sent.
    enum SentOpcode: UInt8 {
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xa
    }

    /// What the bytes at hand are.
    enum Step {
        /// The bytes are used up.
        case wantsMore
        /// The header breaks a rule that wslay checks.
        case malformed
        /// A part of a frame's payload: all of it, when it was at hand.
        case chunk(FrameChunk)
    }

    // The handle that `deinit` frees; it never leaves this type.
    private let context: OpaquePointer
    private let pipe: FrameBuffers
    private let isMasking: Bool

    /// Makes a codec; one with a source of masking keys masks what it sends.
    init(maskKey: (@Sendable () -> UInt32)?) {
        pipe = FrameBuffers(maskKey: maskKey)
        isMasking = maskKey != nil
        // wslay copies the callbacks; the pipe that they are given lives as long as the context.
        var callbacks = unsafe wslay_frame_callbacks(
            send_callback: sendIntoBuffers,
            recv_callback: receiveFromBuffers,
            genmask_callback: maskFromBuffers
        )
        var made: OpaquePointer?
        let status = unsafe wslay_frame_context_init(
            &made,
            &callbacks,
            Unmanaged.passUnretained(pipe).toOpaque()
        )
        guard status == 0, let made = unsafe made else {
            preconditionFailure("There is no memory for a WebSocket connection.")
        }
        unsafe context = made
    }

    deinit {
        unsafe wslay_frame_context_free(context)
    }

    /// How many bytes of output nobody took yet.
    var outputCount: Int { pipe.output.count }

    /// Hands out the frames that were appended since the last time.
    mutating func takeOutput() -> [UInt8] {
        let output = pipe.output
        pipe.output = []
        return output
    }

    /// Lets `next()` read from these bytes, which must stay where they are until `takeBack()`.
    @unsafe
    mutating func lend(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe pipe.input = bytes
    }

    /// Forgets the bytes that were lent.
    mutating func takeBack() {
        unsafe pipe.input = UnsafeBufferPointer(start: nil, count: 0)
    }

    /// Reads on; a chunk's bytes are valid until the next call.
    mutating func next() -> Step {
        // wslay fills the block in whenever it answers with a count.
        var block = unsafe wslay_frame_iocb()
        let count = unsafe wslay_frame_recv(context, &block)
        if count == Int(WSLAY_ERR_WANT_READ.rawValue) { return .wantsMore }
        guard count >= 0 else { return .malformed }
        return unsafe .chunk(FrameChunk(block))
    }

    /// Appends one whole frame to the output.
    mutating func append(_ opcode: SentOpcode, _ payload: Span<UInt8>) {
        // wslay copies the payload through the send callback before it returns.
        unsafe payload.withUnsafeBufferPointer { bytes in
            var block = unsafe wslay_frame_iocb(
                fin: 1,
                rsv: 0,
                opcode: opcode.rawValue,
                payload_length: UInt64(bytes.count),
                mask: isMasking ? 1 : 0,
                data: bytes.baseAddress,
                data_length: bytes.count
            )
            let sent = unsafe wslay_frame_send(context, &block)
            precondition(sent == bytes.count, "A frame that fits in memory is always taken.")
        }
    }
}

/// A part of one frame, as wslay found it.
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
    /// How long the payload of the whole frame is, in bytes.
    let payloadBytes: UInt64
    // Points into wslay's buffer until the codec reads on; only `append(to:)` looks at it.
    private let data: UnsafeBufferPointer<UInt8>

    /// Takes over what wslay wrote.
    init(_ block: wslay_frame_iocb) {
        isFinal = unsafe block.fin != 0
        reservedBits = unsafe block.rsv
        opcode = unsafe block.opcode
        isMasked = unsafe block.mask != 0
        payloadBytes = unsafe block.payload_length
        unsafe data = UnsafeBufferPointer(start: block.data, count: block.data_length)
    }

    /// How many bytes of the payload this chunk holds.
    var count: Int { unsafe data.count }

    /// Copies the chunk's bytes to the end of an array.
    func append(to bytes: inout [UInt8]) {
        unsafe bytes.append(contentsOf: data)
    }
}

/// What wslay's callbacks read from and write to.
@safe
private final class FrameBuffers {
    // Set between `lend` and `takeBack` only, while its memory is pinned.
    var input = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var output: [UInt8] = []
    let maskKey: (@Sendable () -> UInt32)?

    init(maskKey: (@Sendable () -> UInt32)?) {
        self.maskKey = maskKey
    }
}

// MARK: Callbacks: the context is always the pipe of the codec that made the call, and alive.

private func receiveFromBuffers(
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ capacity: Int,
    _ flags: CInt,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
    let pipe = unsafe Unmanaged<FrameBuffers>.fromOpaque(context).takeUnretainedValue()
    let count = unsafe min(capacity, pipe.input.count)
    guard count > 0, let start = unsafe pipe.input.baseAddress else { return -1 }
    unsafe buffer.update(from: start, count: count)
    unsafe pipe.input = UnsafeBufferPointer(rebasing: pipe.input.dropFirst(count))
    return count
}

private func sendIntoBuffers(
    _ data: UnsafePointer<UInt8>?,
    _ count: Int,
    _ flags: CInt,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return -1 }
    let pipe = unsafe Unmanaged<FrameBuffers>.fromOpaque(context).takeUnretainedValue()
    unsafe pipe.output.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
    return count
}

private func maskFromBuffers(
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> CInt {
    guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
    let pipe = unsafe Unmanaged<FrameBuffers>.fromOpaque(context).takeUnretainedValue()
    guard let maskKey = pipe.maskKey else { return -1 }
    let key = maskKey()
    // wslay asks for the four bytes of one key.
    for index in 0..<count { unsafe buffer[index] = UInt8(truncatingIfNeeded: key >> (8 * index)) }
    return 0
}
