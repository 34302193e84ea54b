import DataSourceContracts
import Synchronization

/// One open event stream over libcurl.
final class CurlEventStream: EventStreamConnection {
    let status: Int
    let headers: [String: String]

    private let id: TransferQueue.ID
    private let queue: TransferQueue
    private let buffer: ResponseStreamBuffer
    private let bodyBytesMax: Int
    private let parser: Mutex<EventStreamParser>

    init(
        _ head: (status: Int, headers: [String: String]),
        id: TransferQueue.ID,
        queue: TransferQueue,
        buffer: ResponseStreamBuffer,
        bodyBytesMax: Int
    ) {
        status = head.status
        headers = head.headers
        self.id = id
        self.queue = queue
        self.buffer = buffer
        self.bodyBytesMax = bodyBytesMax
        parser = Mutex(EventStreamParser(eventBytesMax: bodyBytesMax))
    }

    deinit { close() }

    func receive() async throws(TransportError) -> EventBatch {
        let bytes = try await bytes()
        guard !bytes.isEmpty else {
            throw TransportError(.closed(code: nil, reason: ""), "the stream has ended")
        }
        return try parser.withLock { parser throws(TransportError) in try parser.parse(bytes) }
    }

    func body() async throws(TransportError) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let bytes = try await bytes()
            if bytes.isEmpty { return body }
            body += bytes
            guard body.count <= bodyBytesMax else {
                throw TransportError(.tooLarge, "the response exceeds \(bodyBytesMax) bytes")
            }
        }
    }

    func close() { queue.cancel(id) }

    /// The next bytes, all that arrived; empty at the proper end.
    private func bytes() async throws(TransportError) -> [UInt8] {
        await buffer.wait(isHeadEnough: false)
        // Bytes that have arrived stay for the next call.
        if Task.isCancelled { throw .taskCancelled }
        let contents = buffer.take()
        if contents.wasFull { queue.resume(id) }
        if contents.bytes.isEmpty, case .some(.some(let error)) = contents.ending { throw error }
        return contents.bytes
    }
}
