public import DataSourceContracts
import DataSourcesCurl
import WebSocketFraming

/// WebSocket connections over libcurl's byte streams, with ``WebSocketFraming``.
///
/// libcurl connects, verifies TLS and speaks to proxies. Each connection has a thread of its own
/// while a task waits on it. libcurl touches no signals, so the program ignores SIGPIPE itself.
public struct CurlWebSocketTransport: WebSocketTransport {
    /// The bounds of every connection.
    public struct Limits: Sendable, Hashable {
        /// The longest accepted message in bytes; a longer one ends the connection with `tooLarge`.
        public var messageBytesMax: Int
        /// The size in bytes at which a batch is returned; the rest stays in the socket, where the
        /// peer feels it.
        public var batchBytesMax: Int
        /// The bytes that may wait to be sent; a text that does not fit throws `tooLarge`.
        public var outputBytesMax: Int
        /// The longest send; a peer that stops reading ends the connection with `timedOut`.
        public var sendTimeout: Duration

        /// Makes limits; the defaults suit the exchange's streams.
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
    ///   - userAgent: the value of the header `User-Agent`.
    ///   - authorityFile: PEM certificates of a private authority, trusted in addition to the
    ///     system's; read once, here.
    ///   - proxy: the proxy; by default the environment's.
    ///   - randomBytes: makes unpredictable bytes for keys and masks.
    ///   - clock: measures time-outs and the time between batches.
    ///   - limits: the bounds of every connection.
    /// - Throws: ``TransportError``: `untrusted` when the authority file holds no certificate.
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

    /// Connects and completes the handshake; see
    /// ``WebSocketTransport/open(url:timeout:pingInterval:offersCompression:)``.
    ///
    /// - Throws: ``TransportError``, also `upgradeRefused`.
    public func open(
        url: String,
        timeout: Duration,
        pingInterval: Duration?,
        offersCompression: Bool
    ) async throws(TransportError) -> any WebSocketConnection {
        let address = try WebSocketAddress(url)
        let session = WebSocketSession(
            stream: try ByteStream(
                address: address,
                userAgent: userAgent,
                authorities: authorities,
                proxy: proxy,
                timeout: timeout
            ),
            limits: limits,
            pingInterval: pingInterval,
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
            userAgent: userAgent,
            extensions: offersCompression ? PerMessageDeflate.offer : nil
        )
        let result: Result<Void, TransportError> = await withTaskCancellationHandler {
            do throws(TransportError) {
                let response = WebSocketResponseReader(
                    key: key,
                    hasOfferedCompression: offersCompression
                )
                return .success(try await session.open(request, response, within: timeout))
            } catch {
                await session.close()
                return .failure(error)
            }
        } onCancel: {
            session.turnstile.wake()
        }
        try result.get()
        return CurlWebSocketConnection(
            session: session,
            clock: clock,
            batchBytesMax: limits.batchBytesMax
        )
    }
}
