import CHeap

/// The end of the process without memory.
///
/// Swift's own objects and arrays end the process when there is no memory for them. C libraries
/// report it instead; where no caller could do anything about it, the process ends as well, but
/// with a message and an exit status.
extension HeapMemory {
    /// The exit status without memory: an internal error, EX_SOFTWARE of sysexits.h.
    public static let shortageStatus: Int32 = 70

    /// Prepares the message of ``endForShortage()``; called once, when the program starts.
    ///
    /// The message appears after everything that later preparations restore, such as a terminal.
    public static func prepareForShortage() { _ = hoga_heap_prepare_end() }

    /// Ends the process because a C library has no memory.
    public static func endForShortage() -> Never { hoga_heap_end(shortageStatus) }
}
