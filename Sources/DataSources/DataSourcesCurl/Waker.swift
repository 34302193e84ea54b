import CLibCurl
import Synchronization

/// Ends the wait of a multi handle from any thread, and does nothing once the handle is gone.
@safe
package final class Waker: Sendable {
    // curl_multi_wakeup is the one function of a multi handle that any thread may call
    // (CURLMOPT manual, "threads"). Under the lock the handle cannot be freed meanwhile.
    private let handle: Mutex<UnsafeMutableRawPointer?>

    /// Wakes this multi handle.
    init(_ handle: sending UnsafeMutableRawPointer) {
        unsafe self.handle = Mutex(handle)
    }

    /// Ends the current wait, or the next one if nobody waits.
    package func wake() {
        unsafe handle.withLock { handle in
            // It can fail for lack of a pipe only, without which there would be no handle.
            if let handle = unsafe handle { _ = unsafe curl_multi_wakeup(handle) }
        }
    }

    /// Forgets the handle, which is about to be freed.
    func retire() {
        unsafe handle.withLock { unsafe $0 = nil }
    }
}
