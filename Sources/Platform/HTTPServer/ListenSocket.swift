internal import CHTTPParser
internal import Glibc

/// Owns a listening socket.
struct ListenSocket: ~Copyable, Sendable {
    let descriptor: Int32
    /// The port it listens on, never 0.
    let port: UInt16

    /// Binds and listens.
    ///
    /// - Throws: `badAddress`, `addressInUse`, `notPermitted`, `system`.
    init(host: String, port: UInt16) throws(HTTPServerError) {
        let name = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard !host.isEmpty, unsafe getaddrinfo(host, String(port), &hints, &list) == 0 else {
            throw HTTPServerError(.badAddress, address: name)
        }
        defer { unsafe freeaddrinfo(list) }

        var code = HTTPServerError.Code.badAddress
        var next = unsafe list
        while let candidate = unsafe next {
            switch unsafe Self.listen(on: candidate.pointee) {
            case .success(let descriptor):
                guard let port = Self.port(of: descriptor) else {
                    let number = errno
                    _ = Glibc.close(descriptor)
                    throw HTTPServerError(.system(number), address: name)
                }
                self.descriptor = descriptor
                self.port = port
                return
            case .failure(let failure): code = failure.code
            }
            unsafe next = candidate.pointee.ai_next
        }
        throw HTTPServerError(code, address: name)
    }

    deinit { _ = Glibc.close(descriptor) }

    /// Passes the descriptor to another owner, which closes it.
    consuming func handOver() { discard self }

    private static func listen(on address: addrinfo) -> Result<Int32, HTTPServerError> {
        let kind =
            unsafe address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(address.ai_family, kind, address.ai_protocol)
        guard descriptor >= 0 else { return failure() }
        var yes: Int32 = 1
        // Allows binding while old connections are in TIME_WAIT.
        _ = unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_REUSEADDR,
            &yes,
            socklen_t(MemoryLayout<Int32>.size)
        )
        guard unsafe bind(descriptor, address.ai_addr, address.ai_addrlen) == 0,
            Glibc.listen(descriptor, SOMAXCONN) == 0
        else {
            let failure = failure()
            _ = Glibc.close(descriptor)
            return failure
        }
        return .success(descriptor)
    }

    private static func failure() -> Result<Int32, HTTPServerError> {
        let code: HTTPServerError.Code =
            switch errno {
            case EADDRINUSE: .addressInUse
            case EACCES, EPERM: .notPermitted
            case EADDRNOTAVAIL, EAFNOSUPPORT: .badAddress
            default: .system(errno)
            }
        return .failure(HTTPServerError(code, address: ""))
    }

    /// The port of a bound socket; nil if the system lacks memory to tell it.
    private static func port(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(descriptor, address, &length)
            }
        }
        guard status == 0 else { return nil }
        // The port has the same offset in the IPv4 and the IPv6 structure.
        return unsafe withUnsafeBytes(of: &storage) { bytes in
            unsafe UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }
}
