/// A request between its header and its answer; touched only by the thread of its connection.
final class PendingRequest {
    let head: RequestHead
    let record: ConnectionRecord
    var body: [UInt8] = []
    var bodyBytesSeen = 0
    var upgrade: HTTPServerUpgrade?
    /// Makes what is due when the connection is resumed.
    var due: (@Sendable () -> HTTPServerReply)?
    /// Told when the answer is over.
    var notice: EndNotice?
    var stream: StreamedAnswer?

    init(head: RequestHead, record: ConnectionRecord) {
        self.record = record
        self.head = head
    }
}

/// The parts of a request that its header holds.
struct RequestHead {
    var method: String
    /// Decoded; nil if it is not a path this server accepts.
    var path: String?
    /// Decoded; nil if a name or value is not text.
    var query: [(name: String, value: String)]?
    var remoteAddress: NetworkAddress
    var headers: HeaderTable

    var isHead: Bool { method == "HEAD" }

    /// The whole request; nil if its target was refused.
    func request(body: [UInt8]) -> HTTPServerRequest? {
        guard let path, let query else { return nil }
        var request = HTTPServerRequest(
            method: method,
            path: path,
            query: query,
            remoteAddress: remoteAddress,
            headers: headers
        )
        request.body = body
        return request
    }
}
