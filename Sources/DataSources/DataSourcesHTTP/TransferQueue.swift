import DataSourceContracts
import DataSourcesCurl
import Synchronization

/// The way between the tasks that wait for answers and the thread that libcurl runs on.
///
/// Everything is decided under the lock and done after it: waiters are resumed and the loop is
/// woken without holding it.
final class TransferQueue: Sendable {
    /// What a caller waits for.
    enum Waiter: Sendable {
        /// The whole answer.
        case answer(CheckedContinuation<Result<HTTPResponse, TransportError>, Never>)
        /// Its bytes as they come.
        case stream(ResponseStreamBuffer)

        /// Tells the caller how it ended.
        func end(with result: Result<HTTPResponse, TransportError>) {
            switch (self, result) {
            case (.answer(let continuation), _): continuation.resume(returning: result)
            case (.stream(let pipe), .success): pipe.end(nil)
            case (.stream(let pipe), .failure(let error)): pipe.end(error)
            }
        }
    }
    typealias Ledger = PendingTransfers<Waiter>

    private let ledger: Mutex<Ledger>
    private let waker: Waker

    /// Makes an empty mailbox whose loop the waker wakes.
    init(requestsMax: Int, waker: Waker) {
        ledger = Mutex(PendingTransfers(requestsMax: requestsMax))
        self.waker = waker
    }

    // MARK: Callers

    /// Announces a request; see ``PendingTransfers/reserve()``.
    func reserve() throws(TransportError) -> Ledger.ID {
        try ledger.withLock { ledger throws(TransportError) in try ledger.reserve() }
    }

    /// Hands the announced request to the loop.
    func submit(_ request: HTTPRequest, as id: Ledger.ID, for waiter: Waiter) {
        let refusal = ledger.withLock { ledger in
            ledger.submit(request, as: id, for: waiter)
        }
        if let refusal {
            waiter.end(with: .failure(refusal))
        } else {
            waker.wake()
        }
    }

    /// Answers the caller at once with `cancelled`, and has libcurl drop the transfer.
    func cancel(_ id: Ledger.ID) {
        guard let waiter = ledger.withLock({ $0.cancel(id) }) else { return }
        waiter.end(with: .failure(.taskCancelled))
        waker.wake()
    }

    /// Has libcurl go on with an answer whose reader had no room.
    func resume(_ id: Ledger.ID) {
        if ledger.withLock({ $0.resume(id) }) { waker.wake() }
    }

    /// Answers every caller with this error, now and from now on, and stops the loop.
    func end(because error: TransportError) {
        for waiter in ledger.withLock({ $0.end(because: error) }) {
            waiter.end(with: .failure(error))
        }
        waker.wake()
    }

    // MARK: The loop

    /// Whether the loop is to stop.
    var hasEnded: Bool { ledger.withLock { $0.hasEnded } }

    /// Where the bytes of a request under way go as they come; nil if its whole answer is wanted.
    func pipe(of id: Ledger.ID) -> ResponseStreamBuffer? {
        switch ledger.withLock({ $0.waiter(of: id) }) {
        case .stream(let pipe): pipe
        case .answer, nil: nil
        }
    }

    /// What the loop is to do next.
    func takeCommands() -> [Ledger.Command] {
        ledger.withLock { $0.takeCommands() }
    }

    /// Answers the caller of a transfer, unless it has gone.
    func complete(_ id: Ledger.ID, with result: Result<HTTPResponse, TransportError>) {
        ledger.withLock { $0.complete(id) }?.end(with: result)
    }
}
