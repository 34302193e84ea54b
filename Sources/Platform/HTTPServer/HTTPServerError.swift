/// An error from starting a server.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The address is in use.
        case addressInUse
        /// The user may not listen on this port, usually below 1024.
        case notPermitted
        /// The host is not an address of this machine.
        case badAddress
        /// The system cannot start another thread, for the reason of this `errno`.
        case noThread(Int32)
        /// Another system error, by its `errno`.
        case system(Int32)
    }

    /// The kind of failure.
    public var code: Code
    /// The requested address, `127.0.0.1:8080`.
    public var address: String

    /// Makes an error.
    public init(_ code: Code, address: String) {
        self.code = code
        self.address = address
    }

    /// The failure, its address, and a remedy.
    public var description: String {
        switch code {
        case .addressInUse:
            "\(address) is in use: stop the other program or choose another port"
        case .notPermitted:
            "not permitted to listen on \(address): choose a port of 1024 or above"
        case .badAddress:
            "\(address) is not an address of this machine: use 127.0.0.1, ::1 or 0.0.0.0"
        case .noThread(let number):
            "cannot serve \(address): no thread could be started, system error \(number): raise "
                + "the limit of tasks or of memory"
        case .system(let number):
            "cannot listen on \(address): system error \(number)"
        }
    }
}
