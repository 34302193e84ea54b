import Concurrency
import DataSourceContracts
import Glibc
import Synchronization

/// Opens connections on a thread of its own: looking up names blocks.
final class Connector: Sendable {
    /// How long the network may leave what was sent without an answer.
    private static let silenceMax = Duration.seconds(10)

    private let attempts: [[String: String]]
    private let hosts: [String]
    private let location: String
    private let timeout: Duration
    private let clock: Elapsed
    private let executor = BlockingExecutor(label: "hoga.postgresql.connect")
    private let signal = WakeSignal()
    private let hasEnded = Atomic(false)

    /// Makes a connector.
    init(address: PostgreSQLAddress, settings: PostgreSQLPool.Settings, clock: Elapsed) {
        attempts = address.attempts(
            applicationName: settings.applicationName,
            silenceMax: Self.silenceMax
        )
        hosts = address.hostNames
        location = "\(address)"
        timeout = settings.connectTimeout
        self.clock = clock
    }

    /// Opens a connection to the first host that lets us in, and hands it over.
    ///
    /// - Parameter deliver: is called once, on the connector's thread.
    func open(deliver: @escaping @Sendable (Result<OpenConnection, StoreError>) -> Void) {
        executor.start { [self] in deliver(openNow()) }
    }

    /// Gives up what is being opened, now and from now on.
    func end() {
        hasEnded.store(true, ordering: .releasing)
        signal.give()
    }

    /// Opens a connection on the calling thread, which it blocks.
    private func openNow() -> Result<OpenConnection, StoreError> {
        var failures: [StoreError] = []
        for attempt in attempts {
            guard !hasEnded.load(ordering: .acquiring) else { break }
            do throws(StoreError) {
                let connection = try open(attempt)
                try connection.prepareForBatches()
                return .success(OpenConnection(connection: connection))
            } catch {
                failures.append(error)
            }
        }
        return .failure(.joining(failures, of: hosts, at: location))
    }

    private func open(_ attempt: [String: String]) throws(StoreError) -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(attempt, at: location)
        let deadline = clock.now + timeout
        var isForOutput = true
        while true {
            // The socket changes with each address of a host.
            var entries = [
                signal.entry, SocketPoll.entry(for: connection.descriptor, output: isForOutput),
            ]
            SocketPoll.wait(&entries, for: deadline - clock.now)
            guard entries[0].revents == 0 else {
                throw StoreError.away("it is not wanted any more", at: location)
            }
            if entries[1].revents != 0 {
                switch connection.continueOpening() {
                case .open: return connection
                case .failed(let error): throw error
                case .waiting(let forOutput): isForOutput = forOutput
                }
            }
            guard clock.now < deadline else {
                throw StoreError.away("it did not answer within \(timeout)", at: location)
            }
        }
    }
}

/// A connection on its way from the thread that opened it to the one that uses it.
// The connector keeps nothing of it: whoever takes it out is the only one to use it.
struct OpenConnection: @unchecked Sendable {
    let connection: PostgreSQLConnection
}

/// Asks servers to stop what connections run, on a thread of its own: that blocks, and nothing can
/// end it.
///
/// Bound: `requestsMax` requests; one more is not sent, and its connection will be closed instead.
final class QueryCanceller: Sendable {
    private let requestsMax: Int
    private let executor = BlockingExecutor(label: "hoga.postgresql.cancel")
    private let underway = Atomic(0)

    /// Makes a canceller.
    init(requestsMax: Int) { self.requestsMax = requestsMax }

    /// Asks the server.
    ///
    /// - Parameters:
    ///   - cancellation: what is to be stopped.
    ///   - deliver: is called once the server has heard it, on the canceller's thread; never when
    ///     there were too many requests.
    func send(
        _ cancellation: PostgreSQLCancellation,
        deliver: @escaping @Sendable () -> Void
    ) {
        guard underway.add(1, ordering: .relaxed).newValue <= requestsMax else {
            underway.subtract(1, ordering: .relaxed)
            return
        }
        executor.start { [self] in
            cancellation.send()
            underway.subtract(1, ordering: .relaxed)
            deliver()
        }
    }
}
