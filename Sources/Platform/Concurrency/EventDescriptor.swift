import CEvent
import Glibc

/// A file descriptor that ends a thread's wait in poll(2) or epoll(7) from any other thread.
///
/// Any number of signals before a wait end it once. Source: eventfd(2); the kernel makes its calls
/// thread-safe.
public final class EventDescriptor: Sendable {
    /// The descriptor to wait for: readable once it was signaled.
    ///
    /// Closed with this object.
    public let descriptor: Int32

    /// Opens a descriptor; nil when the process has none left.
    public init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Ends the current wait, or the next one; never blocks.
    public func signal() { _ = eventfd_write(descriptor, 1) }

    /// Forgets the signals so far.
    public func clear() {
        var count: UInt64 = 0
        // Safe: the call fills the number it is given, nothing else.
        _ = unsafe eventfd_read(descriptor, &count)
    }
}
