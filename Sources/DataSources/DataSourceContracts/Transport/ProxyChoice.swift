/// Whether to connect directly or through an HTTP proxy that opens tunnels (CONNECT).
public enum ProxyChoice: Sendable, Hashable {
    /// The proxy of the environment variables `https_proxy`, `http_proxy` and `no_proxy`.
    case environment
    /// No proxy, regardless of the environment.
    case none
    /// The proxy at `http://host:port` or `https://host:port`, regardless of the environment.
    case address(String)
}
