import Concurrency
import DataSourceContracts
import Synchronization

/// Carries the bytes of a streamed response from libcurl's thread to the one task that reads them.
///
/// Bound: ``bytesMax`` bytes wait. While the buffer is full libcurl stops reading from the socket,
/// where the peer feels it.
final class ResponseStreamBuffer: Sendable {
    /// The bytes that may wait for the reader, exceeded by at most one write of libcurl.
    static let bytesMax = 1 << 20

    /// The bytes that wait for the reader, and the state of the response.
    struct Contents: Sendable {
        var bytes: [UInt8]
        /// Whether libcurl paused for lack of room, which there is now.
        var wasFull: Bool
        /// How the response ended, if it has: nil inside for its proper end.
        var ending: TransportError??
    }

    private struct State {
        var head: (status: Int, headers: [String: String])?
        var bytes: [UInt8] = []
        var isFull = false
        var ending: TransportError??
    }

    private let state = Mutex(State())
    private let isChanged = AsyncEvent()

    // MARK: libcurl's thread

    /// Stores the head of the response.
    func begin(status: Int, headers: [String: String]) {
        state.withLock { $0.head = (status, headers) }
        isChanged.signal()
    }

    /// Stores the next bytes of the body.
    ///
    /// - Returns: false if the buffer is full: libcurl must bring the same bytes again later.
    func append(_ bytes: some Collection<UInt8>) -> Bool {
        let isStored = state.withLock { state in
            guard state.bytes.count < Self.bytesMax else {
                state.isFull = true
                return false
            }
            state.bytes += bytes
            return true
        }
        if isStored { isChanged.signal() }
        return isStored
    }

    /// Stores how the response ended; the first call counts.
    func end(_ error: TransportError?) {
        state.withLock { state in
            if state.ending == nil { state.ending = .some(error) }
        }
        isChanged.signal()
    }

    // MARK: The reader

    /// The head, once it has arrived.
    var head: (status: Int, headers: [String: String])? { state.withLock { $0.head } }

    /// Takes out all bytes.
    func take() -> Contents {
        state.withLock { state in
            defer {
                state.bytes = []
                state.isFull = false
            }
            return Contents(bytes: state.bytes, wasFull: state.isFull, ending: state.ending)
        }
    }

    /// Returns when there are bytes or the response has ended, or the task is cancelled.
    ///
    /// - Parameter isHeadEnough: whether to return for the head, too.
    func wait(isHeadEnough: Bool) async {
        while !isReady(isHeadEnough) {
            guard await isChanged.wait() else { return }
        }
    }

    private func isReady(_ isHeadEnough: Bool) -> Bool {
        state.withLock { state in
            !state.bytes.isEmpty || state.ending != nil || isHeadEnough && state.head != nil
        }
    }
}
