internal import CHTTPParser
internal import Glibc

/// The one owner of a connection that left HTTP: reads and writes never block, and the connection
/// is closed when the owner goes.
///
/// It lives apart from the server: it no longer counts as one of its connections, and stopping the
/// server leaves it open.
public struct UpgradedSocket: ~Copyable, Sendable {
    /// What reading gave.
    public enum ReadResult: Sendable, Hashable {
        /// That many bytes, at least one.
        case bytes(Int)
        /// Nothing has come yet.
        case wouldBlock
        /// The peer ended the connection, in order or not.
        case closed
    }

    /// What writing did.
    public enum WriteResult: Sendable, Hashable {
        /// That many bytes were taken; the others must be offered again.
        case bytes(Int)
        /// The connection takes nothing at present.
        case wouldBlock
        /// The connection is gone.
        case closed
    }

    /// Who is at the other end.
    public let remoteAddress: NetworkAddress
    /// What the peer had sent behind its request already: to be treated as read first.
    public let bytesReadAhead: [UInt8]

    let descriptor: Int32

    init(descriptor: Int32, remoteAddress: NetworkAddress, bytesReadAhead: [UInt8]) {
        self.descriptor = descriptor
        self.remoteAddress = remoteAddress
        self.bytesReadAhead = bytesReadAhead
    }

    deinit { _ = Glibc.close(descriptor) }

    /// Reads what is there into `buffer` from its start, at most as much as it holds.
    public func read(into buffer: inout [UInt8]) -> ReadResult {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        if count > 0 { return .bytes(count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return .wouldBlock }
        return .closed
    }

    /// Writes as much as the connection takes.
    public func write(_ bytes: Span<UInt8>) -> WriteResult {
        if bytes.isEmpty { return .bytes(0) }
        let count = unsafe bytes.withUnsafeBytes { bytes in
            // MSG_NOSIGNAL: a peer that left is an answer here and no signal to the process.
            unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EINTR ? .wouldBlock : .closed
    }

    /// Closes the connection; what was written is still delivered.
    public consuming func close() {}

    /// Closes the connection with a reset, as a crashed peer would: unsent bytes are thrown away.
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
