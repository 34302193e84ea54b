import Dispatch
import Synchronization

/// A line buffer in front of an output that may block: writers never wait.
///
/// Bound: `bytesMax` bytes wait, and at most as many are being written. A line beyond that is
/// dropped and counted, as are lines that the output refuses.
public final class BufferedOutput: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var waitingLines: UInt64 = 0
        var dropped: UInt64 = 0
        var isWriting = false
    }

    private let output: FileOutput
    private let bytesMax: Int
    private let state = Mutex(State())
    // Occupies a thread only while there are lines to write.
    private let queue = DispatchQueue(label: "hoga.output")

    /// Makes a buffer for an output.
    public init(_ output: FileOutput, bytesMax: Int) {
        precondition(bytesMax > 0, "A buffer holds bytes.")
        self.output = output
        self.bytesMax = bytesMax
    }

    /// The lines dropped since the start.
    public var droppedCount: UInt64 { state.withLock { $0.dropped } }

    /// Queues a line after the previous ones; returns at once.
    ///
    /// - Parameter line: the bytes with the line feed.
    /// - Returns: whether it was queued.
    @discardableResult
    public func write(_ line: [UInt8]) -> Bool {
        let (isTaken, mustBegin) = state.withLock { state -> (Bool, Bool) in
            guard state.waiting.count + line.count <= bytesMax else {
                state.dropped += 1
                return (false, false)
            }
            state.waiting += line
            state.waitingLines += 1
            defer { state.isWriting = true }
            return (true, !state.isWriting)
        }
        if mustBegin { queue.async { self.drain() } }
        return isTaken
    }

    /// Blocks the thread until all lines are written, for at most `limit`.
    ///
    /// - Returns: whether all lines are written.
    @discardableResult
    public func flush(within limit: Duration) -> Bool {
        let isOver = DispatchSemaphore(value: 0)
        queue.async { isOver.signal() }
        let (seconds, attoseconds) = limit.components
        let time =
            DispatchTime.now() + .seconds(Int(seconds))
            + .nanoseconds(Int(attoseconds / 1_000_000_000))
        return isOver.wait(timeout: time) == .success
    }

    private func drain() {
        while true {
            let (bytes, lines) = state.withLock { state -> ([UInt8], UInt64) in
                defer {
                    state.waiting = []
                    state.waitingLines = 0
                }
                if state.waiting.isEmpty { state.isWriting = false }
                return (state.waiting, state.waitingLines)
            }
            if bytes.isEmpty { return }
            do {
                try output.write(bytes)
            } catch {
                state.withLock { $0.dropped += lines }
            }
        }
    }
}
