import Glibc

/// TCP sockets of 127.0.0.1.
enum LoopbackSocket {
    /// A socket that is neither bound nor connected, and that no child inherits.
    static func make() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// A socket that listens on a free port.
    ///
    /// - Returns: its descriptor, which the caller closes.
    static func listening() -> Int32 {
        listening(at: make(), port: 0)
    }

    /// A socket that reserves a port without listening: connections are refused.
    ///
    /// - Returns: its descriptor; closing it frees the port.
    static func keepingPort() -> Int32 {
        let keeper = makeShared()
        precondition(bind(keeper, to: 0), "The loopback has no port left.")
        return keeper
    }

    /// A socket that listens on a port of ``keepingPort()`` in spite of older connections.
    ///
    /// - Returns: its descriptor, which the caller closes.
    static func listening(on port: UInt16) -> Int32 {
        listening(at: makeShared(), port: port)
    }

    private static func listening(at listener: Int32, port: UInt16) -> Int32 {
        precondition(
            bind(listener, to: port) && listen(listener, 128) == 0,
            "The loopback has no port left, or has given this one away."
        )
        return listener
    }

    /// A socket that shares its port with others of its kind (SO_REUSEPORT).
    private static func makeShared() -> Int32 {
        let made = make()
        set(made, SOL_SOCKET, SO_REUSEADDR, Int32(1))
        return made
    }

    private static func bind(_ socket: Int32, to port: UInt16, lastByte: UInt8 = 1) -> Bool {
        unsafe withAddress(port, lastByte: lastByte) { unsafe Glibc.bind(socket, $0, $1) } == 0
    }

    /// The port of a listening socket.
    static func port(of socket: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe getsockname(socket, generic, &length)
            }
        }
        precondition(status == 0, "A listening socket has a name.")
        return UInt16(bigEndian: address.sin_port)
    }

    /// Connects a socket.
    ///
    /// - Returns: whether the connection was accepted; if not, `errno` has the reason.
    static func connect(_ socket: Int32, to port: UInt16) -> Bool {
        unsafe withAddress(port) { unsafe Glibc.connect(socket, $0, $1) } == 0
    }

    /// Binds a socket to the source address 127.0.0.x.
    ///
    /// - Returns: whether it could be bound.
    static func bindSource(_ socket: Int32, lastByte: UInt8) -> Bool {
        bind(socket, to: 0, lastByte: lastByte)
    }

    /// Sets an option that every socket supports.
    static func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: some Any) {
        var value = value
        let status = unsafe withUnsafeBytes(of: &value) { bytes in
            unsafe setsockopt(socket, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
        precondition(status == 0, "Every socket knows these options.")
    }

    private static func withAddress(
        _ port: UInt16,
        lastByte: UInt8 = 1,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (UInt32(0x7f00_0000) | UInt32(lastByte)).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe body(generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
