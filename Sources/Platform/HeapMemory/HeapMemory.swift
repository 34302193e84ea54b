import CHeap

/// The memory of the C allocator.
///
/// Source: malloc_trim(3), mallinfo(3), mallopt(3) and proc(5) of the Linux man-pages 6.03, seen
/// 2026-11-21.
public enum HeapMemory: Sendable {
    /// Resident bytes that are not in use: above all those that were freed and not returned to the
    /// system; 0 if that is unknown.
    public static var idleBytes: Int {
        max(0, Int(clamping: hoga_resident_bytes()) - usedBytes)
    }

    /// Bytes in use, with the allocator's own overhead.
    public static var usedBytes: Int { Int(clamping: hoga_heap_used_bytes()) }

    /// Limits the allocator to one arena for each processor; called once, when the program starts.
    ///
    /// Its default is eight. Each arena keeps what its threads have freed, so that with the
    /// default the memory of a program with many threads grows for hours. `MALLOC_ARENA_MAX` in the
    /// environment is not changed.
    public static func limitArenas() { hoga_heap_limit_arenas() }

    /// Returns free pages to the system, also those in the middle of the heap, which the allocator
    /// never does itself.
    ///
    /// Blocks for some milliseconds for each 100 MB; other threads may wait for memory meanwhile.
    public static func trim() { _ = hoga_heap_give_back() }
}
