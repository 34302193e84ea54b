import Concurrency
public import DataSourceContracts
import DataSourcesCurl
import WebSocketFraming

/// WebSocket connections over bytes that libcurl moves: it connects, verifies TLS and speaks to a
/// proxy where there is one; the framing is our own.
///
/// Each connection has a thread of its own while something waits on it. libcurl touches
/// no signals, so the program should ignore SIGPIPE itself.
public struct CurlWebSocketTransport: WebSocketTransport {
    /// The bounds of every connection.
    public struct Limits: Sendable, Hashable {
        /// The longest message that is accepted, in bytes; a longer one ends the connection with
        /// `tooLarge`.
        public var messageBytesMax: Int
        /// After this many bytes of complete messages reading stops and the batch is returned; the
        /// rest stays in the socket, where the peer feels it.
        public var batchBytesMax: Int
        /// The most that may wait to be sent, in bytes; a text that does not fit throws `tooLarge`.
        public var outputBytesMax: Int
        /// How long a send may take; a peer that reads no more ends the connection with `timedOut`.
        public var sendTimeout: Duration

        /// Makes limits; those of the exchange's streams by default.
        public init(
            messageBytesMax: Int = 4 << 20,
            batchBytesMax: Int = 1 << 20,
            outputBytesMax: Int = 256 << 10,
            sendTimeout: Duration = .seconds(10)
        ) {
            self.messageBytesMax = messageBytesMax
            self.batchBytesMax = batchBytesMax
            self.outputBytesMax = outputBytesMax
            self.sendTimeout = sendTimeout
        }
    }

    private let userAgent: String
    private let authorities: CertificateAuthorities
    private let proxy: ProxyChoice
    private let randomBytes: @Sendable (_ count: Int) -> [UInt8]
    private let clock: any Clock<Duration>
    private let limits: Limits

    /// Makes a transport; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - userAgent: the name of the program, for servers.
    ///   - authorityFile: certificates of a private authority in PEM form, trusted beside those of
    ///     the system, not in their place; read once, here.
    ///   - proxy: the way to servers; what the environment says unless told.
    ///   - randomBytes: makes that many bytes nobody can predict, for keys and masks.
    ///   - clock: measures time-outs, and the time between batches.
    ///   - limits: the bounds of every connection.
    /// - Throws: ``TransportError``: `untrusted` when the authority file is of no use.
    public init(
        userAgent: String,
        authorityFile: String?,
        proxy: ProxyChoice = .environment,
        randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8],
        clock: any Clock<Duration>,
        limits: Limits = Limits()
    ) throws(TransportError) {
        self.userAgent = userAgent
        authorities = try CertificateAuthorities(file: authorityFile)
        self.proxy = proxy
        self.randomBytes = randomBytes
        self.clock = clock
        self.limits = limits
    }

    /// Connects and completes the handshake; see ``WebSocketTransport/open(url:timeout:)``.
    ///
    /// - Throws: ``TransportError``: `protocolViolation` also when the server refuses the upgrade,
    ///   with its HTTP status in the detail.
    public func open(
        url: String,
        timeout: Duration
    ) async throws(TransportError) -> any WebSocketConnection {
        try await open(WebSocketAddress(url), timeout: timeout, clock: clock)
    }

    private func open(
        _ address: WebSocketAddress,
        timeout: Duration,
        clock: some Clock<Duration>
    ) async throws(TransportError) -> any WebSocketConnection {
        let session = WebSocketSession(
            stream: try ByteStream(
                address: address,
                userAgent: userAgent,
                authorities: authorities,
                proxy: proxy,
                timeout: timeout
            ),
            limits: limits,
            clock: clock,
            randomBytes: randomBytes
        )
        let key = WebSocketHandshake.clientKey(
            randomBytes: randomBytes(WebSocketHandshake.keyByteCount)
        )
        let request = WebSocketHandshake.requestText(
            host: address.host,
            path: address.path,
            key: key,
            userAgent: userAgent
        )
        let result: Result<Void, TransportError> = await withTaskCancellationHandler {
            do throws(TransportError) {
                return .success(try await session.open(request, key: key, within: timeout))
            } catch {
                await session.close()
                return .failure(error)
            }
        } onCancel: {
            session.gate.wake()
        }
        try result.get()
        return CurlWebSocketConnection(
            session: session,
            clock: clock,
            batchBytesMax: limits.batchBytesMax
        )
    }
}
