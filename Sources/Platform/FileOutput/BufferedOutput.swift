import Dispatch
import Synchronization

/// Lines on their way to an output that may take none for a while: whoever writes never waits.
///
/// Bound: `bytesMax` bytes wait, and at most as many are being written. A line that finds no room
/// is given up and counted, and so are lines that the output refuses.
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
    // A thread of its own is taken only while there is something to write.
    private let queue = DispatchQueue(label: "hoga.output")

    /// Makes a buffer in front of an output.
    public init(_ output: FileOutput, bytesMax: Int) {
        precondition(bytesMax > 0, "Something may wait.")
        self.output = output
        self.bytesMax = bytesMax
    }

    /// How many lines were given up since the start.
    public var droppedCount: UInt64 { state.withLock { $0.dropped } }

    /// Has a line written after those before it; returns at once.
    ///
    /// - Parameter line: its bytes, the line's end included.
    /// - Returns: whether there was room.
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

    /// Waits until everything was written, but not for longer than so; blocks the thread.
    ///
    /// - Returns: whether everything was.
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
