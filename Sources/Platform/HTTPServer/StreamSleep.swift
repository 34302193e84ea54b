internal import Glibc
internal import Synchronization

/// Whether the connection of a stream sleeps, and what wakes it.
///
/// No call is lost: a call that comes between asking for a piece and falling asleep is noticed by
/// falling asleep, because both happen under one lock.
final class StreamSleep: Sendable {
    private struct State {
        var isAsleep = false
        var isCalled = false
        /// The stream is cut off: nobody sleeps any more.
        var isCut = false
        var isOver = false
    }

    let descriptor: Int32
    private let connection: SuspendableConnection
    private let state = Mutex(State())

    init(_ connection: SuspendableConnection, descriptor: Int32) {
        self.connection = connection
        self.descriptor = descriptor
    }

    /// Whether the client has ended its side: there is nobody to send a stream to.
    ///
    /// Without this the first write after that would still succeed.
    var hasClientLeft: Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    /// Forgets calls from before the next piece is asked for; false if the stream is cut off.
    func prepare() -> Bool {
        state.withLock { state in
            state.isCalled = false
            return !state.isCut
        }
    }

    /// Suspends the connection unless somebody called since ``prepare()``.
    ///
    /// Called only inside the reader of that connection, which may suspend it.
    ///
    /// - Returns: false if the stream has to be asked again at once.
    func fallAsleep() -> Bool {
        state.withLock { state in
            if state.isCalled || state.isCut { return false }
            state.isAsleep = true
            // Under the lock: who resumes it finds it suspended.
            connection.suspend()
            return true
        }
    }

    /// Asks for the next piece.
    func wake() {
        state.withLock { state in
            state.isCalled = true
            resume(&state)
        }
    }

    /// Cuts the stream off where it is.
    func cut() {
        state.withLock { state in
            state.isCut = true
            resume(&state)
        }
    }

    /// Called when the connection is through with the stream: it is not touched any more.
    func finish() {
        state.withLock { $0.isOver = true }
    }

    private func resume(_ state: inout State) {
        guard state.isAsleep, !state.isOver else { return }
        state.isAsleep = false
        connection.resume()
    }
}
