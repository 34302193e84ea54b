import CHeap

/// The memory of the C allocator.
///
/// Source: malloc_trim(3) and mallinfo(3), Linux man-pages 6.03, seen 2026-11-21.
public enum HeapMemory: Sendable {
    /// Bytes that were freed and not reused, including those returned to the system since.
    public static var freeBytes: Int { Int(clamping: hoga_heap_free_bytes()) }

    /// Bytes in use, with the allocator's own overhead.
    public static var usedBytes: Int { Int(clamping: hoga_heap_used_bytes()) }

    /// Returns free pages to the system, also those in the middle of the heap, which the allocator
    /// never does itself.
    ///
    /// Blocks for some milliseconds for each 100 MB; other threads may wait for memory meanwhile.
    public static func trim() { _ = hoga_heap_give_back() }
}
