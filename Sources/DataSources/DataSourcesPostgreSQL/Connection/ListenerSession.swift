import Concurrency
import DataSourceContracts
import Glibc

/// The connection of a listener, on a thread of its own. Only its ``PostgreSQLListener`` uses it.
actor ListenerSession {
    /// The different payloads of one batch of notifications.
    private static let payloadsMax = 10_000
    /// The longest wait for the first LISTEN.
    private static let startTimeout = Duration.seconds(5)

    private nonisolated let executor = BlockingExecutor(label: "hoga.postgresql.listen")
    private var connection: PostgreSQLConnection?
    /// Ends the wait for notifications.
    nonisolated let event: EventDescriptor

    /// Makes a session without a connection.
    ///
    /// - Throws: ``StoreError`` with `unavailable` if no file descriptor is left.
    init() throws(StoreError) { event = try SocketPoll.makeEvent() }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor owns the executor, so the reference never outlives it.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Starts to listen.
    ///
    /// - Throws: ``StoreError`` when the server refuses.
    func begin(_ open: OpenConnection, channel: String) throws(StoreError) {
        let connection = open.connection
        self.connection = connection
        var roundTrip = try RoundTrip(.script("LISTEN \(channel)"), on: connection)
        while true {
            switch try roundTrip.advance(on: connection) {
            case .done: return
            case .refused(let fields):
                throw StoreError(postgreSQL: fields, at: connection.location)
            case .inFlight:
                var entries = [
                    SocketPoll.entry(for: event),
                    SocketPoll.entry(for: connection.descriptor, output: roundTrip.hasOutput),
                ]
                SocketPoll.wait(&entries, for: Self.startTimeout)
                guard entries[1].revents != 0 else { throw connection.broken }
                try connection.receive()
            }
        }
    }

    /// Blocks this actor's thread until notifications arrive.
    ///
    /// - Returns: each payload once; an empty list when too many arrived together; nil while
    ///   ``event`` is signaled.
    /// - Throws: ``StoreError`` when the connection is broken.
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
                SocketPoll.entry(for: event),
                SocketPoll.entry(for: connection.descriptor, output: false),
            ]
            SocketPoll.wait(&entries, for: nil)
            guard entries[0].revents == 0 else { return nil }
            try connection.receive()
        }
    }

    /// Closes the connection.
    func end() { connection = nil }
}
