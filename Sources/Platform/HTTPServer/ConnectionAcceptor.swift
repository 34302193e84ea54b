internal import CHTTPParser
internal import Glibc
internal import NetworkAddresses

/// Accepts connections for all loops of a server; used by the first loop's thread only.
final class ConnectionAcceptor {
    private var socket: ListenSocket?
    let descriptor: Int32
    /// The queues of all loops, the first one's included.
    var queues: [LoopQueue] = []
    /// Whether epoll reports new connections.
    var isListening = false
    private var next = 0

    init(_ socket: consuming ListenSocket) {
        descriptor = socket.descriptor
        self.socket = consume socket
    }

    /// Closes the listening socket.
    func close() { socket = nil }

    /// The loop for the next connection, in turn.
    func nextQueue() -> LoopQueue {
        next = (next + 1) % queues.count
        return queues[next]
    }
}

extension EventLoop {
    /// Connections accepted at once, so that open ones are not delayed.
    private static let acceptsMax = 64

    /// Accepts waiting connections up to the server's limit.
    func accept(from acceptor: ConnectionAcceptor) {
        for _ in 0..<Self.acceptsMax {
            // Further connections wait in the kernel's queue until one is closed.
            guard context.counts.hasCapacity else { return unlisten(acceptor) }
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
            guard context.counts.acquire(client) else {
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
            acceptor.nextQueue().post(.adopt(descriptor, client))
        }
    }
}
