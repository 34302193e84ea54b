import CLibCurl
import Glibc
import NetworkAddresses

/// Decides about the sockets of one handle, on the thread of its transfer.
///
/// libcurl asks with the address that it connects to, after the name was looked up: a name that
/// changes its address between a check and the request passes no check here.
final class SocketGate {
    private let permits: @Sendable (NetworkAddress) -> Bool
    /// The last address that was refused; nil if none was.
    private(set) var refused: NetworkAddress?

    init(permits: @escaping @Sendable (NetworkAddress) -> Bool) {
        self.permits = permits
    }

    /// Decides about an address; nil for a family without IP addresses.
    fileprivate func permits(_ address: NetworkAddress?) -> Bool {
        guard let address else { return false }
        let isPermitted = permits(address)
        if !isPermitted { refused = address }
        return isPermitted
    }
}

/// Opens a socket as libcurl does without this function, if the address is permitted.
///
/// Safe: the context is the gate of the handle, and the address is valid during the call. libcurl
/// closes the socket.
func openPermittedSocket(
    _ context: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context = unsafe context, let address = unsafe address else { return -1 }
    let gate = unsafe Unmanaged<SocketGate>.fromOpaque(context).takeUnretainedValue()
    let family = unsafe address.pointee.family
    let peer =
        family == AF_INET || family == AF_INET6
        ? unsafe NetworkAddress(hoga_curl_address(address)) : nil
    guard gate.permits(peer) else { return -1 }
    return unsafe socket(
        family,
        address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
        address.pointee.protocol
    )
}
