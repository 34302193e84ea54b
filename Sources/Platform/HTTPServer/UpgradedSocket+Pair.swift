internal import CHTTPParser
internal import Glibc
package import NetworkAddresses

extension UpgradedSocket {
    /// Connects two sockets of this process, for a program that serves itself.
    ///
    /// - Parameters:
    ///   - remoteAddress: the address that both ends tell.
    ///   - takeOver: receives one end.
    /// - Returns: the other end.
    /// - Throws: `system` if the process has no descriptors left.
    package static func pair(
        at remoteAddress: NetworkAddress,
        _ takeOver: (consuming UpgradedSocket) -> Void
    ) throws(HTTPServerError) -> UpgradedSocket {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw HTTPServerError(.system(errno), address: "")
        }
        takeOver(
            UpgradedSocket(
                descriptor: ends[0],
                remoteAddress: remoteAddress,
                bytesReadAhead: []
            )
        )
        return UpgradedSocket(
            descriptor: ends[1],
            remoteAddress: remoteAddress,
            bytesReadAhead: []
        )
    }
}
