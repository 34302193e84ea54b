internal import CMicroHTTPD
internal import Glibc
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
    private let isEnding = Atomic<Bool>(false)
    private let refusal: @Sendable (HTTPServerRefusal) -> HTTPServerResponse

    init(
        limits: HTTPServer.Configuration,
        refusal: @escaping @Sendable (HTTPServerRefusal) -> HTTPServerResponse,
        handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) {
        self.refusal = refusal
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

    /// Whether answers are the last ones of their connections.
    var isStopping: Bool { isEnding.load(ordering: .relaxed) }

    /// From now on each answer closes its connection and new connections are closed at once, so
    /// that the requests in flight become fewer under any load.
    func beginStop() { isEnding.store(true, ordering: .relaxed) }

    func connectionBegan(_ record: ConnectionRecord) {
        sweeper.add(record)
        if isStopping { _ = shutdown(record.descriptor, Int32(SHUT_RDWR)) }
    }

    func connectionEnded(_ record: ConnectionRecord) {
        sweeper.remove(descriptor: record.descriptor)
    }

    /// What is wrong with a header, before any of the body is read; nil if it may go on.
    ///
    /// - Parameters:
    ///   - head: what came.
    ///   - headerBytes: how many bytes it was.
    ///   - isKnown: whether the same head was found to be right before.
    func refusal(
        of head: RequestHead,
        _ headerBytes: Int,
        isKnown: Bool
    ) -> HTTPServerResponse? {
        if headerBytes > headerBytesMax { return refuse(.headerTooLarge) }
        if isKnown { return nil }
        let lengths = head.headers.count(of: "content-length")
        let isChunked = head.headers.count(of: "transfer-encoding") > 0
        // Two lengths, or a length beside chunks, are how requests are smuggled past a proxy.
        if head.headers.count(of: "host") > 1 || lengths > 1 || (lengths == 1 && isChunked) {
            return refuse(.badRequest)
        }
        guard head.request != nil else { return refuse(.badRequest) }
        if let length = head.headers.value(of: "content-length") {
            guard let count = UInt64(length) else { return refuse(.badRequest) }
            if count > UInt64(bodyBytesMax) { return refuse(.bodyTooLarge) }
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
        if pending.bodyBytesSeen > bodyBytesMax { return .response(refuse(.bodyTooLarge)) }
        guard let request = pending.head.request else { return .response(refuse(.badRequest)) }
        let body = pending.body
        return handler(body.isEmpty ? request : HTTPServerRequest(request, body: body))
    }

    /// An answer after which the connection is closed, because its bytes cannot be trusted.
    private func refuse(_ reason: HTTPServerRefusal) -> HTTPServerResponse {
        let response = refusal(reason)
        response.closeConnection()
        return response
    }
}
