import Dispatch
import Glibc
import Synchronization

/// A TCP server on 127.0.0.1 that does to each connection what a test tells it, however rude.
///
/// Every connection is served on a thread of its own by blocking code. ``stop()``, or letting go of
/// the server, ends all connections and waits for their threads.
public final class LoopbackServer: Sendable {
    /// Where it listens.
    public let port: UInt16

    private let state: State
    private let listener: Int32

    /// Starts a server.
    ///
    /// - Parameter serve: what to do with one connection; it is closed when this returns or throws.
    public init(
        serve: @escaping @Sendable (LoopbackConnection) throws(LoopbackConnection.Failure) -> Void
    ) {
        let listener = LoopbackSocket.listening()
        let state = State()
        port = LoopbackSocket.port(of: listener)
        self.listener = listener
        self.state = state
        // A serial queue gets a thread even when every core is busy.
        DispatchQueue(label: "hoga.test.accept").async(group: state.threads) {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                let connection = state.add(descriptor)
                DispatchQueue(label: "hoga.test.connection").async(group: state.threads) {
                    try? serve(connection)
                    state.remove(connection)
                }
            }
            close(listener)
        }
    }

    deinit { stop() }

    /// How many connections were accepted so far.
    public var acceptedCount: Int { state.acceptedCount }

    /// Ends every connection and waits until nothing of the server runs any more.
    public func stop() {
        guard state.stop() else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        state.threads.wait()
    }

    /// A port of 127.0.0.1 on which nobody listens.
    ///
    /// It is kept until this process ends, so that nobody else gets it meanwhile; a program that
    /// may share an address, as servers do, can listen there.
    public static func reservedPort() -> UInt16 {
        LoopbackSocket.port(of: LoopbackSocket.keepingPort())
    }
}

extension LoopbackServer {
    /// The connections that are open, shared with the threads.
    private final class State: Sendable {
        let threads = DispatchGroup()
        private let connections = Mutex(
            (open: [Int: LoopbackConnection](), accepted: 0, over: false)
        )

        var acceptedCount: Int { connections.withLock { $0.accepted } }

        func add(_ descriptor: Int32) -> LoopbackConnection {
            connections.withLock { connections in
                let connection = LoopbackConnection(
                    descriptor: descriptor,
                    number: connections.accepted
                )
                connections.accepted += 1
                connections.open[connection.number] = connection
                if connections.over { connection.end() }
                return connection
            }
        }

        func remove(_ connection: LoopbackConnection) {
            connections.withLock { _ = $0.open.removeValue(forKey: connection.number) }
            connection.close()
        }

        func stop() -> Bool {
            connections.withLock { connections in
                guard !connections.over else { return false }
                connections.over = true
                for connection in connections.open.values { connection.end() }
                return true
            }
        }
    }
}
