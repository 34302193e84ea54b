import DataSources
import DataSourcesCurl
import Synchronization

/// The way between the tasks that wait for answers and the thread that libcurl runs on.
///
/// Everything is decided under the lock and done after it: waiters are resumed and the loop is
/// woken without holding it.
final class TransferMailbox: Sendable {
    /// What a caller waits for.
    typealias Waiter = CheckedContinuation<Result<HTTPResponse, TransportError>, Never>
    typealias Ledger = TransferLedger<Waiter>

    private let ledger: Mutex<Ledger>
    private let waker: Waker

    /// Makes an empty mailbox whose loop the waker wakes.
    init(requestsMax: Int, waker: Waker) {
        ledger = Mutex(TransferLedger(requestsMax: requestsMax))
        self.waker = waker
    }

    // MARK: Callers

    /// Announces a request; see ``TransferLedger/reserve()``.
    func reserve() throws(TransportError) -> Ledger.ID {
        try ledger.withLock { ledger throws(TransportError) in try ledger.reserve() }
    }

    /// Hands the announced request to the loop.
    func submit(_ request: HTTPRequest, as id: Ledger.ID, for waiter: Waiter) {
        let refusal = ledger.withLock { ledger in
            ledger.submit(request, as: id, for: waiter)
        }
        if let refusal {
            waiter.resume(returning: .failure(refusal))
        } else {
            waker.wake()
        }
    }

    /// Answers the caller at once with `cancelled`, and has libcurl drop the transfer.
    func cancel(_ id: Ledger.ID) {
        guard let waiter = ledger.withLock({ $0.cancel(id) }) else { return }
        waiter.resume(returning: .failure(.taskCancelled))
        waker.wake()
    }

    /// Answers every caller with this error, now and from now on, and stops the loop.
    func end(because error: TransportError) {
        for waiter in ledger.withLock({ $0.end(because: error) }) {
            waiter.resume(returning: .failure(error))
        }
        waker.wake()
    }

    // MARK: The loop

    /// Whether the loop is to stop.
    var hasEnded: Bool { ledger.withLock { $0.hasEnded } }

    /// What the loop is to do next.
    func takeCommands() -> [Ledger.Command] {
        ledger.withLock { $0.takeCommands() }
    }

    /// Answers the caller of a transfer, unless it has gone.
    func complete(_ id: Ledger.ID, with result: Result<HTTPResponse, TransportError>) {
        ledger.withLock { $0.complete(id) }?.resume(returning: result)
    }
}
