import Glibc

/// A blocking TCP client that sends any bytes, valid or not, and returns the answer.
///
/// Each receive has a time limit, so a silent server fails its test instead of blocking the run.
public final class TCPClient {
    /// Why the client received nothing.
    public enum Failure: Error, Sendable {
        /// The server did not accept.
        case cannotConnect(errno: Int32)
        /// Nothing arrived within the time limit.
        case silent
        /// The connection ended before the expected bytes arrived.
        case closed
    }

    private let descriptor: Int32
    private var received: [UInt8] = []
    /// The time limit of a receive; only a server that hangs reaches it.
    public static let guardSeconds = 300

    /// Connects to a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: the port to connect to.
    ///   - sourceByte: the last byte of the source address 127.0.0.x; the system chooses if nil.
    /// - Throws: `cannotConnect`.
    public init(port: UInt16, from sourceByte: UInt8? = nil) throws(Failure) {
        descriptor = LoopbackSocket.make()
        Self.limitReceiveWait(of: descriptor, milliseconds: Self.guardSeconds * 1_000)
        if let sourceByte {
            guard LoopbackSocket.bindSource(descriptor, lastByte: sourceByte) else {
                throw .cannotConnect(errno: errno)
            }
        }
        guard LoopbackSocket.connect(descriptor, to: port) else {
            throw .cannotConnect(errno: errno)
        }
    }

    deinit { close(descriptor) }

    /// Shortens the time limit of a receive.
    public func limitReceiveWait(milliseconds: Int) {
        Self.limitReceiveWait(of: descriptor, milliseconds: milliseconds)
    }

    private static func limitReceiveWait(of descriptor: Int32, milliseconds: Int) {
        var limit = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        _ = unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
    }

    /// Shrinks the kernel's receive buffer, so that a slow reader fills it soon.
    public func shrinkReceiveBuffer(to bytes: Int32) {
        var size = bytes
        _ = unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVBUF,
            &size,
            socklen_t(MemoryLayout<Int32>.size)
        )
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

    /// Closes the sending direction.
    public func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next bytes; empty when the server has closed the connection.
    public func receive() throws(Failure) -> [UInt8] {
        if !received.isEmpty {
            defer { received = [] }
            return received
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        if count < 0, errno == EAGAIN { throw .silent }
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// Everything until the server closes the connection.
    public func receiveAll() throws(Failure) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let bytes = try receive()
            if bytes.isEmpty { return all }
            all += bytes
        }
    }

    /// The next `count` bytes.
    public func receive(count: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try receive()
            if more.isEmpty { throw .closed }
            bytes += more
        }
        received = Array(bytes[count...])
        return Array(bytes[..<count])
    }

    /// Everything up to and with the end of an HTTP header.
    public func receiveHeader() throws(Failure) -> String {
        var bytes: [UInt8] = []
        while true {
            let end = Array("\r\n\r\n".utf8)
            for index in bytes.indices where bytes[index...].starts(with: end) {
                received = Array(bytes[(index + end.count)...])
                return String(decoding: bytes[..<(index + end.count)], as: UTF8.self)
            }
            let more = try receive()
            if more.isEmpty { throw .closed }
            bytes += more
        }
    }

    /// One HTTP answer with a `Content-Length`.
    public func receiveAnswer() throws(Failure) -> (header: String, body: [UInt8]) {
        let header = try receiveHeader()
        for line in header.lowercased().split(separator: "\r\n")
        where line.hasPrefix("content-length:") {
            let digits = line.split(separator: ":")[1].filter { $0 != " " }
            return (header, try receive(count: Int(digits) ?? 0))
        }
        return (header, [])
    }
}

/// One test uses a client at a time.
@available(*, unavailable)
extension TCPClient: Sendable {}
