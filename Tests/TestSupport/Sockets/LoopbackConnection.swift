import Glibc
import Synchronization

/// The server's end of one connection, for blocking code.
public final class LoopbackConnection: Sendable {
    /// Why the connection is unusable.
    public enum Failure: Error, Sendable {
        /// The other end closed it, or the server stops.
        case closed
    }

    /// The number of the connection at its server, from 0.
    public let number: Int

    private let descriptor: Int32
    /// Bytes received in advance, and whether the descriptor is closed.
    private let state = Mutex((received: [UInt8](), isClosed: false))

    init(descriptor: Int32, number: Int) {
        self.descriptor = descriptor
        self.number = number
        var on: Int32 = 1
        _ = unsafe setsockopt(
            descriptor,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &on,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    /// The next bytes; throws at the end of the connection.
    public func receive() throws(Failure) -> [UInt8] {
        let waiting = state.withLock { state in
            defer { state.received = [] }
            return state.received
        }
        guard waiting.isEmpty else { return waiting }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        guard count > 0 else { throw .closed }
        return Array(buffer[..<count])
    }

    /// Reads to the empty line inclusive: the head of an HTTP request.
    public func receiveHead() throws(Failure) -> String {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            for index in bytes.indices where bytes[index...].starts(with: end) {
                let head = bytes[..<(index + end.count)]
                state.withLock { $0.received = Array(bytes[head.endIndex...]) }
                return String(decoding: head, as: UTF8.self)
            }
            bytes += try receive()
        }
    }

    /// Reads a request with the body whose length is stated.
    public func receiveRequest() throws(Failure) -> (head: String, body: String) {
        let head = try receiveHead()
        let line = head.split(separator: "\r\n")
            .first { $0.lowercased().hasPrefix("content-length: ") }
        let length = line.flatMap { Int($0.dropFirst(16)) } ?? 0
        var body: [UInt8] = []
        while body.count < length { body += try receive() }
        return (head, String(decoding: body, as: UTF8.self))
    }

    /// Discards input until the other end closes the connection.
    public func waitForEnd() {
        while (try? receive()) != nil {}
    }

    /// Sends all of the bytes.
    public func send(_ bytes: [UInt8]) throws(Failure) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { rest in
                unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw .closed }
            sent += count
        }
    }

    /// Sends text as UTF-8.
    public func send(_ text: String) throws(Failure) {
        try send(Array(text.utf8))
    }

    /// Makes closing reset the connection instead of sending a FIN.
    public func resetWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_LINGER,
            &option,
            socklen_t(MemoryLayout<linger>.size)
        )
    }

    /// Shuts both directions down: blocked calls return at once.
    func end() {
        // The lock keeps the descriptor from being closed and reused.
        state.withLock { state in
            if !state.isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Closes the descriptor; the connection must not be used afterwards.
    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            _ = Glibc.close(descriptor)
        }
    }
}
