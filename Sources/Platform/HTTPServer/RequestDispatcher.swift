internal import CMicroHTTPD
internal import Synchronization

/// What the callbacks of one daemon share: the handler, the limits and the count of requests.
final class RequestDispatcher: Sendable {
    private let handler: @Sendable (HTTPServerRequest) -> HTTPServerReply
    private let headerBytesMax: Int
    private let bodyBytesMax: Int
    let delayedAnswers = DelayedAnswers()
    let openStreams: OpenStreams
    private let sweeper: ConnectionSweeper
    private let requestsInFlight = Atomic<Int>(0)
    private let badRequest = HTTPServerResponse(refusing: 400, text: "Bad Request")
    private let bodyTooLarge = HTTPServerResponse(refusing: 413, text: "Content Too Large")
    private let headerTooLarge = HTTPServerResponse(
        refusing: 431,
        text: "Request Header Fields Too Large"
    )

    init(
        limits: HTTPServer.Configuration,
        handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) {
        self.handler = handler
        headerBytesMax = limits.headerBytesMax
        bodyBytesMax = limits.bodyBytesMax
        openStreams = OpenStreams()
        sweeper = ConnectionSweeper(
            requestSecondsMax: limits.requestSecondsMax,
            openStreams: openStreams
        )
    }

    var isIdle: Bool { requestsInFlight.load(ordering: .acquiring) == 0 }

    func requestBegan() { requestsInFlight.add(1, ordering: .relaxed) }
    func requestEnded() { requestsInFlight.subtract(1, ordering: .releasing) }

    func connectionBegan(_ record: ConnectionRecord) { sweeper.add(record) }
    func connectionEnded(_ record: ConnectionRecord) {
        sweeper.remove(descriptor: record.descriptor)
    }

    /// What is wrong with a header, before any of the body is read; nil if it may go on.
    func refusal(of head: RequestHead, headerBytes: Int) -> HTTPServerResponse? {
        if headerBytes > headerBytesMax { return headerTooLarge }
        let lengths = head.headers.count(of: "content-length")
        let isChunked = head.headers.count(of: "transfer-encoding") > 0
        // Two lengths, or a length beside chunks, are how requests are smuggled past a proxy.
        if head.headers.count(of: "host") > 1 || lengths > 1 || (lengths == 1 && isChunked) {
            return badRequest
        }
        guard head.path != nil else { return badRequest }
        if let length = head.headers.value(of: "content-length") {
            guard let count = UInt64(length) else { return badRequest }
            if count > UInt64(bodyBytesMax) { return bodyTooLarge }
        }
        return nil
    }

    /// Takes a piece of the body; false if the client sends so much more than is allowed that
    /// listening on is no use.
    func collect(_ piece: UnsafeRawBufferPointer, into pending: PendingRequest) -> Bool {
        pending.bodyBytesSeen += piece.count
        if pending.bodyBytesSeen > bodyBytesMax {
            // The answer can only be given behind the body, so a little more is read for it.
            pending.body = []
            return pending.bodyBytesSeen <= bodyBytesMax * 2
        }
        unsafe pending.body.append(contentsOf: piece)
        return true
    }

    /// The answer to a complete request.
    func reply(to pending: PendingRequest) -> HTTPServerReply {
        if pending.bodyBytesSeen > bodyBytesMax { return .response(bodyTooLarge) }
        guard let request = pending.head.request(body: pending.body) else {
            return .response(badRequest)
        }
        return handler(request)
    }
}

extension HTTPServerResponse {
    /// An answer after which the connection is closed, because its bytes cannot be trusted.
    convenience init(refusing status: Int, text: String) {
        self.init(
            status: status,
            headers: [("Content-Type", "text/plain; charset=utf-8"), ("Connection", "close")],
            body: Array("\(status) \(text)\n".utf8)
        )
    }
}
