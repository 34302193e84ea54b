import CLibCurl
import DataSourceContracts
import DataSourcesCurl

/// A byte stream over TCP, TLS and a proxy if one is set.
///
/// Owns its libcurl handles and closes the connection with them. Belongs to one thread at a time.
struct ByteStream: ~Copyable {
    private let multi: MultiHandle
    private let easy: EasyHandle

    /// Prepares a connection; nothing is sent yet.
    init(
        address: WebSocketAddress,
        userAgent: String,
        authorities: CertificateAuthorities,
        proxy: ProxyChoice,
        timeout: Duration
    ) throws(TransportError) {
        let easy = try EasyHandle(authorities: authorities, proxy: proxy)
        try easy.prepare(url: address.connectURL, userAgent: userAgent)
        try easy.set(CURLOPT_CONNECT_ONLY, 1)
        // The upgrade exists in HTTP/1.1 only, so TLS must not settle on HTTP/2.
        try easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        // Without this option curl tunnels through a proxy for TLS alone.
        try easy.set(CURLOPT_HTTPPROXYTUNNEL, 1)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, timeout)
        multi = try MultiHandle()
        self.easy = easy
    }

    deinit {
        // The connection is the multi handle's; taking the transfer out closes it.
        multi.remove(easy)
    }

    /// Ends a wait from any thread.
    var waker: Waker { multi.waker }

    /// Starts connecting.
    func start() throws(TransportError) {
        try multi.add(easy)
    }

    /// Continues to connect, without waiting.
    ///
    /// - Returns: whether the connection is open.
    /// - Throws: ``TransportError`` if it cannot be opened.
    func continueConnecting() throws(TransportError) -> Bool {
        try multi.perform()
        guard let completion = multi.nextCompletion() else { return false }
        guard completion.code == CURLE_OK else { throw easy.failure(completion.code) }
        return true
    }

    /// Reads the bytes at hand; see ``EasyHandle/receive(into:)``.
    func receive(into buffer: inout [UInt8]) throws(TransportError) -> Int? {
        try easy.receive(into: &buffer)
    }

    /// Writes as much as fits; see ``EasyHandle/send(_:)``.
    func send(_ bytes: ArraySlice<UInt8>) throws(TransportError) -> Int? {
        try easy.send(bytes)
    }

    /// Blocks until connecting can continue, the waker is used, or the time is up.
    func waitForConnecting(for time: Duration) throws(TransportError) {
        try multi.wait(for: time)
    }

    /// Blocks until the socket is ready for the given directions, the waker is used, or the time is
    /// up.
    func wait(input: Bool, output: Bool, for time: Duration) throws(TransportError) {
        guard let socket = easy.socket else {
            throw TransportError(.closed(code: nil, reason: ""), "the connection is gone")
        }
        try multi.wait(for: time, input: input ? socket : nil, output: output ? socket : nil)
    }
}
