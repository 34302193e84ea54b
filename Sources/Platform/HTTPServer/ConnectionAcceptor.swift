internal import CHTTPParser
internal import Glibc

/// Takes connections for all loops of a server; touched only by the thread of the first one.
final class ConnectionAcceptor {
    private var socket: ListenSocket?
    let descriptor: Int32
    /// Everybody's mailbox, the first loop's included.
    var mailboxes: [LoopQueue] = []
    /// Whether the loop is told of new connections.
    var isListening = false
    private var next = 0

    init(_ socket: consuming ListenSocket) {
        descriptor = socket.descriptor
        self.socket = consume socket
    }

    /// Closes the socket: whoever comes from now on is refused by the system.
    func close() { socket = nil }

    /// The loop that gets the next connection.
    func turn() -> LoopQueue {
        next = (next + 1) % mailboxes.count
        return mailboxes[next]
    }
}

extension EventLoop {
    /// How many are taken at once, so that those who are there are not held up.
    private static let acceptsMax = 64

    /// Takes what the system's queue has, as long as there is room.
    func accept(from acceptor: ConnectionAcceptor) {
        for _ in 0..<Self.acceptsMax {
            // What is there stays in the queue until somebody leaves.
            guard service.room.hasRoom else { return unlisten(acceptor) }
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let kind = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let (descriptor, client) = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    let descriptor = unsafe accept4(acceptor.descriptor, address, &length, kind)
                    return unsafe (descriptor, NetworkAddress(address))
                }
            }
            guard descriptor >= 0 else {
                switch errno {
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: unlisten(acceptor)
                default: break
                }
                if errno == ECONNABORTED || errno == EINTR { continue }
                return
            }
            guard service.room.enter(client) else {
                Glibc.close(descriptor)
                continue
            }
            var yes: Int32 = 1
            _ = unsafe setsockopt(
                descriptor,
                Int32(IPPROTO_TCP),
                TCP_NODELAY,
                &yes,
                socklen_t(MemoryLayout<Int32>.size)
            )
            acceptor.turn().post(.adopt(descriptor, client))
        }
    }
}
