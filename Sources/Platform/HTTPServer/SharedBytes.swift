internal import CMicroHTTPD

/// The one owner of a block of memory that answers are sent from.
///
/// Unchecked: the block is written once, before anybody else sees it, and only read afterwards.
@safe
final class SharedBytes: @unchecked Sendable {
    private let block: UnsafeMutableRawBufferPointer

    init(_ bytes: [UInt8]) {
        unsafe block = UnsafeMutableRawBufferPointer.allocate(
            byteCount: bytes.count,
            alignment: MemoryLayout<UInt>.alignment
        )
        unsafe block.copyBytes(from: bytes)
    }

    deinit { unsafe block.deallocate() }

    /// An answer of the library that holds a reference to this block until the library has
    /// destroyed it; nil if there is no memory for it.
    func makeAnswer() -> OpaquePointer? {
        let kept = unsafe Unmanaged.passRetained(self).toOpaque()
        let made = unsafe MHD_create_response_from_buffer_with_free_callback_cls(
            block.count,
            block.baseAddress,
            releaseBytes,
            kept
        )
        // The library calls back only for what it has made.
        if unsafe made == nil { unsafe releaseBytes(kept) }
        return unsafe made
    }
}

/// Called by libmicrohttpd when the last connection is through with an answer.
private func releaseBytes(_ kept: UnsafeMutableRawPointer?) {
    guard let kept = unsafe kept else { return }
    unsafe Unmanaged<SharedBytes>.fromOpaque(kept).release()
}
