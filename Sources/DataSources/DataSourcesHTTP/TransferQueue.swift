import DataSourceContracts
import DataSourcesCurl
import Synchronization

/// Passes requests from tasks to libcurl's thread, and results back.
///
/// Decides under the lock and acts after it: waiters are resumed and the loop is woken without it.
///
/// Bound: `requestsMax` requests; ``reserve()`` throws `other` beyond that, see
/// ``PendingTransfers``.
final class TransferQueue: Sendable {
    /// A caller that waits for a result.
    enum Waiter: Sendable {
        /// Waits for the whole response.
        case answer(CheckedContinuation<Result<HTTPResponse, TransportError>, Never>)
        /// Reads the bytes of a stream.
        case stream(ResponseStreamBuffer)

        /// Gives the caller the result.
        func end(with result: Result<HTTPResponse, TransportError>) {
            switch (self, result) {
            case (.answer(let continuation), _): continuation.resume(returning: result)
            case (.stream(let buffer), .success): buffer.end(nil)
            case (.stream(let buffer), .failure(let error)): buffer.end(error)
            }
        }
    }

    typealias ID = PendingTransfers<Waiter>.ID
    typealias Command = PendingTransfers<Waiter>.Command

    private let transfers: Mutex<PendingTransfers<Waiter>>
    private let waker: Waker

    /// Makes an empty queue; the waker wakes its loop.
    init(requestsMax: Int, waker: Waker) {
        transfers = Mutex(PendingTransfers(requestsMax: requestsMax))
        self.waker = waker
    }

    // MARK: Callers

    /// Reserves a place for a request; see ``PendingTransfers/reserve()``.
    func reserve() throws(TransportError) -> ID {
        try transfers.withLock { transfers throws(TransportError) in try transfers.reserve() }
    }

    /// Passes the request of a reserved place to the loop.
    func submit(_ request: HTTPRequest, as id: ID, for waiter: Waiter) {
        let refusal = transfers.withLock { transfers in
            transfers.submit(request, as: id, for: waiter)
        }
        if let refusal {
            waiter.end(with: .failure(refusal))
        } else {
            waker.wake()
        }
    }

    /// Fails the caller at once with `cancelled` and tells libcurl to drop the transfer.
    func cancel(_ id: ID) {
        guard let waiter = transfers.withLock({ $0.cancel(id) }) else { return }
        waiter.end(with: .failure(.taskCancelled))
        waker.wake()
    }

    /// Resumes a stream that was paused because its buffer was full.
    func resume(_ id: ID) {
        if transfers.withLock({ $0.resume(id) }) { waker.wake() }
    }

    /// Fails every current and later caller with this error and stops the loop.
    func end(because error: TransportError) {
        for waiter in transfers.withLock({ $0.end(because: error) }) {
            waiter.end(with: .failure(error))
        }
        waker.wake()
    }

    // MARK: The loop

    /// Whether the loop must stop.
    var hasEnded: Bool { transfers.withLock { $0.hasEnded } }

    /// The buffer of a stream in flight; nil for a request whose whole response is collected.
    func streamBuffer(of id: ID) -> ResponseStreamBuffer? {
        switch transfers.withLock({ $0.waiter(of: id) }) {
        case .stream(let buffer): buffer
        case .answer, nil: nil
        }
    }

    /// The next commands for the loop.
    func takeCommands() -> [Command] {
        transfers.withLock { $0.takeCommands() }
    }

    /// Gives the caller its result, unless it was cancelled.
    func complete(_ id: ID, with result: Result<HTTPResponse, TransportError>) {
        transfers.withLock { $0.complete(id) }?.end(with: result)
    }
}
