import CHeap

/// What the C library's allocator holds for the process and nobody uses.
///
/// Source: malloc_trim(3) and mallinfo(3), Linux man-pages 6.03, seen 2026-11-21.
public enum HeapMemory: Sendable {
    /// The bytes that were freed and are kept for later; those that were given back since count on.
    public static var freeBytes: Int { Int(clamping: hoga_heap_free_bytes()) }

    /// Gives free pages back to the system, in the middle of the heap, too, which the allocator
    /// never does by itself.
    ///
    /// Blocks for some milliseconds for each 100 MB; meanwhile other threads may wait for memory.
    public static func giveBack() { _ = hoga_heap_give_back() }
}
