/// Why a server could not be started.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Sendable, Hashable {
        /// Another program listens on that address.
        case addressInUse
        /// The system does not let this user listen there: ports below 1024.
        case notPermitted
        /// The host is no address of this machine, or no address at all.
        case badAddress
        /// The system refused for another reason, by its error number.
        case system(Int32)
    }

    /// What kind of failure it was.
    public var code: Code
    /// The address that was asked for, `127.0.0.1:8080`.
    public var address: String

    /// Makes an error.
    public init(_ code: Code, address: String) {
        self.code = code
        self.address = address
    }

    /// What failed, where, and what to do.
    public var description: String {
        switch code {
        case .addressInUse:
            "\(address) is in use: stop the program that listens there or choose another port"
        case .notPermitted:
            "not permitted to listen on \(address): choose a port of 1024 or above"
        case .badAddress:
            "\(address) is no address of this machine: use 127.0.0.1, ::1 or 0.0.0.0"
        case .system(let number):
            "cannot listen on \(address): system error \(number)"
        }
    }
}
