public import DataSourceContracts
import DataSourcesCurl

/// HTTP over libcurl: connections that live on, HTTP/2 where TLS offers it, gzip, and a
/// proxy where there is one.
///
/// `run()` does the work, on a thread of its own; the composition root calls it once and ends it by
/// cancellation. What is sent before waits for it; what is sent after it ended is cancelled.
///
/// At most `requestsMax` requests may be under way or waiting; one more is refused with `other`.
/// libcurl touches no signals, so the program should ignore SIGPIPE itself.
public final class CurlHTTPTransport: HTTPTransport, EventStreamTransport {
    private let mailbox: TransferQueue
    private let loop: TransferLoop

    /// Makes a transport; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - userAgent: the name of the program, for servers.
    ///   - authorityFile: certificates of a private authority in PEM form, trusted beside those of
    ///     the system, not in their place; read once, here.
    ///   - proxy: the way to servers; what the environment says unless told.
    ///   - connectTimeout: the longest that connecting and TLS may take; a request's own limit
    ///     holds too.
    ///   - requestsMax: how many requests may be under way or waiting.
    ///   - connectionsPerHostMax: how many connections one host gets; an event stream keeps its own
    ///     for as long as it lasts.
    /// - Throws: ``TransportError``: `untrusted` when the authority file is of no use, `other` when
    ///   libcurl does not start.
    public init(
        userAgent: String,
        authorityFile: String?,
        proxy: ProxyChoice = .environment,
        connectTimeout: Duration = .seconds(5),
        requestsMax: Int = 256,
        connectionsPerHostMax: Int = 6
    ) throws(TransportError) {
        precondition(requestsMax > 0, "A transport must take at least one request.")
        let settings = TransferSettings(
            userAgent: userAgent,
            authorities: try CertificateAuthorities(file: authorityFile),
            proxy: proxy,
            connectTimeout: connectTimeout,
            connectionsPerHostMax: connectionsPerHostMax
        )
        let multi = try MultiHandle()
        mailbox = TransferQueue(requestsMax: requestsMax, waker: multi.waker)
        loop = try TransferLoop(multi: multi, mailbox: mailbox, settings: settings)
    }

    /// Performs requests until the task is cancelled; to be called once.
    ///
    /// When it returns, requests that were under way have been cancelled. It returns by itself only
    /// when libcurl cannot go on; then every `send` throws why.
    public func run() async {
        await withTaskCancellationHandler {
            await loop.run()
        } onCancel: {
            mailbox.end(because: TransportError(.cancelled, "the transport has ended"))
        }
    }

    /// Performs a request; see ``HTTPTransport/send(_:)``.
    ///
    /// - Throws: ``TransportError``: also `badAddress` when the address is not `http` or `https`,
    ///   and `cancelled` when `run()` has ended.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard request.isAbsolute else {
            throw TransportError(.badAddress, "an address must begin with http:// or https://")
        }
        let id = try mailbox.reserve()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                mailbox.submit(request, as: id, for: .answer(waiter))
            }
        } onCancel: {
            mailbox.cancel(id)
        }
        return try result.get()
    }

    /// Opens an event stream; see ``EventStreamTransport/open(_:)``.
    ///
    /// - Throws: ``TransportError`` as ``send(_:)`` does; the time that the head may take is the
    ///   caller's to keep, who cancels the task.
    public func open(
        _ request: HTTPRequest
    ) async throws(TransportError) -> any EventStreamConnection {
        guard request.isAbsolute else {
            throw TransportError(.badAddress, "an address must begin with http:// or https://")
        }
        let id = try mailbox.reserve()
        let pipe = ResponseStreamBuffer()
        mailbox.submit(request, as: id, for: .stream(pipe))
        await pipe.wait(isHeadEnough: true)
        if Task.isCancelled {
            mailbox.cancel(id)
            throw .taskCancelled
        }
        guard let head = pipe.head else {
            if case .some(.some(let error)) = pipe.take().ending { throw error }
            throw TransportError(.closed(code: nil, reason: ""), "there was no answer")
        }
        return CurlEventStream(
            head,
            id: id,
            mailbox: mailbox,
            pipe: pipe,
            bodyBytesMax: request.bodyBytesMax
        )
    }
}

extension HTTPRequest {
    /// Whether the scheme is spelled out: curl would guess one from the host's name.
    fileprivate var isAbsolute: Bool {
        let start = url.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://"
    }
}
