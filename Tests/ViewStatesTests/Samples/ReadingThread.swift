import Dispatch
import Foundation
import Synchronization

/// A thread of the system that reads until it has seen enough.
final class ReadingThread: Sendable {
    private let result = Mutex<[Int: Int]>([:])
    private let done = DispatchSemaphore(value: 0)

    /// Starts reading.
    init(_ read: @escaping @Sendable () -> [Int: Int]) {
        Thread { [self] in
            let seen = read()
            result.withLock { $0 = seen }
            done.signal()
        }.start()
    }

    /// Waits for the end and returns the read bytes; called once.
    func join() -> [Int: Int] {
        done.wait()
        return result.withLock { $0 }
    }
}
