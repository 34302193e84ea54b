internal import CHTTPParser
internal import Glibc
public import NetworkAddresses

/// Owns the socket of an upgraded connection: reads and writes never block, and `deinit` closes it.
///
/// The socket no longer counts as a connection of the server, and stopping the server leaves it
/// open.
public struct UpgradedSocket: ~Copyable, Sendable {
    /// The result of a read.
    public enum ReadResult: Sendable, Hashable {
        /// The number of bytes read, at least one.
        case bytes(Int)
        /// No bytes are available.
        case wouldBlock
        /// The peer closed or reset the connection.
        case closed
    }

    /// The result of a write.
    public enum WriteResult: Sendable, Hashable {
        /// The number of bytes written; the rest must be written again.
        case bytes(Int)
        /// The send buffer is full.
        case wouldBlock
        /// The connection is closed.
        case closed
    }

    /// The peer's address.
    public let remoteAddress: NetworkAddress
    /// Bytes received behind the request: they precede those of the first ``read(into:)``.
    public let bytesReadAhead: [UInt8]

    let descriptor: Int32

    init(descriptor: Int32, remoteAddress: NetworkAddress, bytesReadAhead: [UInt8]) {
        self.descriptor = descriptor
        self.remoteAddress = remoteAddress
        self.bytesReadAhead = bytesReadAhead
    }

    deinit { _ = Glibc.close(descriptor) }

    /// Reads available bytes into `buffer`, at most its count.
    public func read(into buffer: inout [UInt8]) -> ReadResult {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        if count > 0 { return .bytes(count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return .wouldBlock }
        return .closed
    }

    /// Writes as much as the send buffer takes.
    public func write(_ bytes: Span<UInt8>) -> WriteResult {
        if bytes.isEmpty { return .bytes(0) }
        let count = unsafe bytes.withUnsafeBytes { bytes in
            // MSG_NOSIGNAL: a closed connection is a result here, not a SIGPIPE.
            unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EINTR ? .wouldBlock : .closed
    }

    /// Closes the connection; written bytes are still delivered.
    public consuming func close() {}

    /// Resets the connection, as a crashed peer would: unsent bytes are discarded.
    public consuming func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_LINGER,
            &linger,
            socklen_t(MemoryLayout<Glibc.linger>.size)
        )
    }
}
