/// The way to the other side: straight, or through an HTTP proxy that opens tunnels (CONNECT).
public enum ProxyChoice: Sendable, Hashable {
    /// What the usual variables of the environment say: `https_proxy`, `http_proxy`, `no_proxy`.
    case environment
    /// Straight, whatever the environment says.
    case none
    /// Through the proxy at this address, `http://host:port` or `https://host:port`, whatever the
    /// environment says.
    case address(String)
}
