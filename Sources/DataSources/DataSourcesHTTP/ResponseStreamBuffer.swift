import DataSourceContracts
import Synchronization

/// The way of an answer's bytes from the thread of libcurl to the one task that reads them.
///
/// Bound: ``bytesMax`` bytes wait; while there is no room libcurl stops reading from the socket,
/// where the peer feels it.
final class ResponseStreamBuffer: Sendable {
    /// How many bytes may wait for the reader before the socket does; one piece of libcurl's more.
    static let bytesMax = 1 << 20

    /// What the reader finds.
    struct Contents: Sendable {
        var bytes: [UInt8]
        /// Whether libcurl waits for room, which there is now.
        var wasFull: Bool
        /// How the answer ended, if it has: nil for its proper end.
        var ending: TransportError??
    }

    private struct State {
        var head: (status: Int, headers: [String: String])?
        var bytes: [UInt8] = []
        var isFull = false
        var ending: TransportError??
        var reader: CheckedContinuation<Void, Never>?

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    private let state = Mutex(State())

    // MARK: The loop

    /// Takes the head of the answer.
    func begin(status: Int, headers: [String: String]) {
        let reader = state.withLock { state in
            state.head = (status, headers)
            return state.takeReader()
        }
        reader?.resume()
    }

    /// Takes a piece of the body.
    ///
    /// - Returns: false if there is no room: the same piece is to be brought again later.
    func append(_ bytes: some Collection<UInt8>) -> Bool {
        let (isTaken, reader) = state.withLock { state in
            guard state.bytes.count < Self.bytesMax else {
                state.isFull = true
                return (false, nil as CheckedContinuation<Void, Never>?)
            }
            state.bytes += bytes
            return (true, state.takeReader())
        }
        reader?.resume()
        return isTaken
    }

    /// Takes the end of the answer; the first one stays.
    func end(_ error: TransportError?) {
        let reader = state.withLock { state in
            if state.ending == nil { state.ending = .some(error) }
            return state.takeReader()
        }
        reader?.resume()
    }

    // MARK: The reader

    /// The head, if it has come.
    var head: (status: Int, headers: [String: String])? { state.withLock { $0.head } }

    /// Everything that waits.
    func take() -> Contents {
        state.withLock { state in
            defer {
                state.bytes = []
                state.isFull = false
            }
            return Contents(bytes: state.bytes, wasFull: state.isFull, ending: state.ending)
        }
    }

    /// Returns when something waits or the answer has ended, or the task is cancelled.
    ///
    /// - Parameter isHeadEnough: whether the head counts as something.
    func wait(isHeadEnough: Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || !state.bytes.isEmpty || state.ending != nil
                        || isHeadEnough && state.head != nil
                    {
                        return true
                    }
                    precondition(state.reader == nil, "One task reads a stream.")
                    state.reader = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.takeReader() }?.resume()
        }
    }
}
