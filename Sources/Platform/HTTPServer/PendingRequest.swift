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
