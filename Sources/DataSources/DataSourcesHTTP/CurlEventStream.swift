import DataSourceContracts
import Synchronization

/// One open event stream over libcurl.
final class CurlEventStream: EventStreamConnection {
    let status: Int
    let headers: [String: String]

    private let id: TransferQueue.Ledger.ID
    private let mailbox: TransferQueue
    private let pipe: ResponseStreamBuffer
    private let bodyBytesMax: Int
    private let parser: Mutex<EventStreamParser>

    init(
        _ head: (status: Int, headers: [String: String]),
        id: TransferQueue.Ledger.ID,
        mailbox: TransferQueue,
        pipe: ResponseStreamBuffer,
        bodyBytesMax: Int
    ) {
        status = head.status
        headers = head.headers
        self.id = id
        self.mailbox = mailbox
        self.pipe = pipe
        self.bodyBytesMax = bodyBytesMax
        parser = Mutex(EventStreamParser(eventBytesMax: bodyBytesMax))
    }

    deinit { close() }

    func receive() async throws(TransportError) -> EventBatch {
        let bytes = try await bytes()
        guard !bytes.isEmpty else {
            throw TransportError(.closed(code: nil, reason: ""), "the stream has ended")
        }
        return try parser.withLock { parser throws(TransportError) in try parser.take(bytes) }
    }

    func body() async throws(TransportError) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let bytes = try await bytes()
            if bytes.isEmpty { return body }
            body += bytes
            guard body.count <= bodyBytesMax else {
                throw TransportError(.tooLarge, "the answer exceeds \(bodyBytesMax) bytes")
            }
        }
    }

    func close() { mailbox.cancel(id) }

    /// The next bytes, as many as have come; none at the proper end.
    private func bytes() async throws(TransportError) -> [UInt8] {
        await pipe.wait(isHeadEnough: false)
        // What has come stays for the next call.
        if Task.isCancelled { throw .taskCancelled }
        let contents = pipe.take()
        if contents.wasFull { mailbox.resume(id) }
        if contents.bytes.isEmpty, case .some(.some(let error)) = contents.ending { throw error }
        return contents.bytes
    }
}
