import Concurrency
import DataSourceContracts
import Glibc

/// The connection of a listener, on a thread of its own.
actor ListenerSession {
    /// How many different payloads are kept that came together.
    private static let payloadsMax = 10_000
    /// How long the server may take to begin.
    private static let patience = Duration.seconds(5)

    private nonisolated let executor = BlockingExecutor(label: "hoga.postgresql.listen")
    private var connection: PostgreSQLConnection?
    /// Ends the wait for notifications.
    nonisolated let signal = WakeSignal()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor owns the executor, so the reference never outlives it.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Starts to listen.
    ///
    /// - Throws: ``StoreError`` when the server does not let us.
    func begin(_ open: OpenConnection, channel: String) throws(StoreError) {
        let connection = open.connection
        self.connection = connection
        var exchange = try Exchange(.script("LISTEN \(channel)"), on: connection)
        while true {
            switch try exchange.advance(on: connection) {
            case .done: return
            case .refused(let words):
                throw StoreError(postgreSQL: words, at: connection.location)
            case .underway:
                var entries = [
                    signal.entry,
                    SocketPoll.entry(for: connection.descriptor, output: exchange.hasOutput),
                ]
                SocketPoll.wait(&entries, for: Self.patience)
                guard entries[1].revents != 0 else { throw connection.broken }
                try connection.receive()
            }
        }
    }

    /// Blocks this actor's thread until something was heard.
    ///
    /// - Returns: each payload once; none when too many came at once; nil when the signal was
    ///   given.
    /// - Throws: ``StoreError`` when the connection broke.
    func next() throws(StoreError) -> [String]? {
        guard let connection else { return nil }
        while true {
            var payloads: [String] = []
            var known: Set<String> = []
            while let (_, payload) = connection.nextNotification() {
                if known.insert(payload).inserted { payloads.append(payload) }
                guard known.count <= Self.payloadsMax else {
                    while connection.nextNotification() != nil {}
                    return []
                }
            }
            if !payloads.isEmpty { return payloads }
            var entries = [
                signal.entry, SocketPoll.entry(for: connection.descriptor, output: false),
            ]
            SocketPoll.wait(&entries, for: nil)
            // It stays given: whoever listens has ended.
            guard entries[0].revents == 0 else { return nil }
            try connection.receive()
        }
    }

    /// Closes the connection.
    func end() { connection = nil }
}
