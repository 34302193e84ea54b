import CLibCurl
import Synchronization

/// Ends the wait of a multi handle from any thread; does nothing after the handle was freed.
@safe
package final class Waker: Sendable {
    // curl_multi_wakeup is the only function of a multi handle that any thread may call (CURLMOPT
    // manual, "threads"). The lock keeps the handle from being freed meanwhile.
    private let handle: Mutex<UnsafeMutableRawPointer?>

    /// Makes the waker of a multi handle.
    init(_ handle: sending UnsafeMutableRawPointer) {
        unsafe self.handle = Mutex(handle)
    }

    /// Ends the current wait, or the next one.
    package func wake() {
        unsafe handle.withLock { handle in
            // Fails only without a pipe, and then there would be no handle.
            if let handle = unsafe handle { _ = unsafe curl_multi_wakeup(handle) }
        }
    }

    /// Forgets the handle before it is freed.
    func retire() {
        unsafe handle.withLock { unsafe $0 = nil }
    }
}
