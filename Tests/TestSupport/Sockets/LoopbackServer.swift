import Dispatch
import Glibc
import Synchronization

/// A TCP server on 127.0.0.1 whose connections a test serves with blocking code.
///
/// Each connection has a thread. ``stop()``, or releasing the server, closes all connections and
/// waits for their threads.
public final class LoopbackServer: Sendable {
    /// The port it listens on.
    public let port: UInt16

    private let state: State
    private let listener: Int32

    /// Starts a server.
    ///
    /// - Parameter serve: serves one connection, which is closed when this returns or throws.
    public init(
        serve: @escaping @Sendable (LoopbackConnection) throws(LoopbackConnection.Failure) -> Void
    ) {
        let listener = LoopbackSocket.listening()
        let state = State()
        port = LoopbackSocket.port(of: listener)
        self.listener = listener
        self.state = state
        // A serial queue gets a thread even when all threads of the pool are busy.
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

    /// The number of accepted connections.
    public var acceptedCount: Int { state.acceptedCount }

    /// Closes every connection and waits for all threads.
    public func stop() {
        guard state.stop() else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        state.threads.wait()
    }

    /// A port of 127.0.0.1 on which nothing listens.
    ///
    /// The port is reserved until this process ends; a server that sets SO_REUSEPORT can listen
    /// there.
    public static func reservedPort() -> UInt16 {
        LoopbackSocket.port(of: LoopbackSocket.keepingPort())
    }
}

extension LoopbackServer {
    /// The open connections, shared with the threads.
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
