public import DataSourceContracts
import DataSourcesCurl
public import NetworkAddresses

/// HTTP over libcurl: kept connections, HTTP/2 where TLS offers it, gzip, and a proxy if one is
/// set.
///
/// ``run()`` works on a thread of its own. The composition root calls it once and ends it by
/// cancellation. Requests sent before wait for it; requests sent after its end are cancelled.
///
/// Bound: `requestsMax` requests are in flight or wait; one more is refused with `other`. libcurl
/// touches no signals, so the program ignores SIGPIPE itself.
public final class CurlHTTPTransport: HTTPTransport, EventStreamTransport {
    private let queue: TransferQueue
    private let loop: TransferLoop
    private let isOnlyHTTPS: Bool

    /// Makes a transport; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - userAgent: the value of the header `User-Agent`.
    ///   - authorityFile: PEM certificates of a private authority, trusted in addition to the
    ///     system's; read once, here.
    ///   - proxy: the proxy; by default the environment's.
    ///   - permits: whether a connection to an address may be opened; only `https` is possible
    ///     with it, and no proxy. It is asked about the address of each socket after the lookup of
    ///     the name, on the transport's thread. Nil for all addresses.
    ///   - connectTimeout: the longest that connecting and TLS may take, beside the request's own
    ///     limit.
    ///   - requestsMax: the requests that may be in flight or wait.
    ///   - connectionsPerHostMax: the connections to one host; an open event stream occupies one.
    /// - Throws: ``TransportError``: `untrusted` when the authority file holds no certificate,
    ///   `other` when libcurl does not start.
    public init(
        userAgent: String,
        authorityFile: String?,
        proxy: ProxyChoice = .environment,
        permits: (@Sendable (NetworkAddress) -> Bool)? = nil,
        connectTimeout: Duration = .seconds(5),
        requestsMax: Int = 256,
        connectionsPerHostMax: Int = 6
    ) throws(TransportError) {
        precondition(requestsMax > 0, "A transport takes at least one request.")
        precondition(permits == nil || proxy == .none, "A proxy would hide the address.")
        let settings = TransferSettings(
            userAgent: userAgent,
            authorities: try CertificateAuthorities(file: authorityFile),
            proxy: proxy,
            permits: permits,
            connectTimeout: connectTimeout,
            connectionsPerHostMax: connectionsPerHostMax
        )
        isOnlyHTTPS = permits != nil
        let multi = try MultiHandle()
        queue = TransferQueue(requestsMax: requestsMax, waker: multi.waker)
        loop = try TransferLoop(multi: multi, queue: queue, settings: settings)
    }

    /// Performs requests until the task is cancelled; to be called once.
    ///
    /// Requests in flight are cancelled when it returns. It returns by itself only when libcurl
    /// fails; then every `send` throws the reason.
    public func run() async {
        await withTaskCancellationHandler {
            await loop.run()
        } onCancel: {
            queue.end(because: TransportError(.cancelled, "the transport has ended"))
        }
    }

    /// Performs a request; see ``HTTPTransport/send(_:)``.
    ///
    /// - Throws: ``TransportError``: also `badAddress` when the address is not `http` or `https`,
    ///   `forbiddenAddress` when no address of the host is permitted, and `cancelled` when `run()`
    ///   has ended.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try check(request)
        let id = try queue.reserve()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                queue.submit(request, as: id, for: .answer(waiter))
            }
        } onCancel: {
            queue.cancel(id)
        }
        return try result.get()
    }

    /// Opens an event stream; see ``EventStreamTransport/open(_:)``.
    ///
    /// - Throws: ``TransportError`` as ``send(_:)`` does. The caller bounds the wait for the head
    ///   by cancelling the task.
    public func open(
        _ request: HTTPRequest
    ) async throws(TransportError) -> any EventStreamConnection {
        try check(request)
        let id = try queue.reserve()
        let buffer = ResponseStreamBuffer()
        queue.submit(request, as: id, for: .stream(buffer))
        await buffer.wait(isHeadEnough: true)
        if Task.isCancelled {
            queue.cancel(id)
            throw .taskCancelled
        }
        guard let head = buffer.head else {
            if case .some(.some(let error)) = buffer.take().ending { throw error }
            throw TransportError(.closed(code: nil, reason: ""), "there was no response")
        }
        return CurlEventStream(
            head,
            id: id,
            queue: queue,
            buffer: buffer,
            bodyBytesMax: request.bodyBytesMax
        )
    }

    /// Checks the scheme; curl would guess a missing one from the host name.
    private func check(_ request: HTTPRequest) throws(TransportError) {
        let start = request.url.prefix(8).lowercased()
        guard start == "https://" || !isOnlyHTTPS && start.hasPrefix("http://") else {
            let schemes = isOnlyHTTPS ? "https://" : "http:// or https://"
            throw TransportError(.badAddress, "an address must begin with \(schemes)")
        }
    }
}
