internal import CHTTPParser
internal import Glibc
import SharedMemory

extension EventLoop {
    /// Begins to send a complete response.
    func send(_ response: HTTPServerResponse, to connection: ServerConnection) {
        connection.completion = response.completion
        let framing: HeadWriter.Framing =
            switch response.status {
            // RFC 9110, 8.6 allows a length in a 304, but some clients then wait for the body.
            case 204, 304: .none
            default: .length(response.body.count)
            }
        connection.output.clear()
        headWriter.write(
            response.status,
            response.sharedFields.map { [$0, response.ownFields] } ?? [response.ownFields],
            framing,
            persistence(of: connection),
            into: &connection.output.head
        )
        if case .length = framing, !(connection.head?.isHead ?? false) {
            connection.output.file = response.sharedBody.fileForReader()
            if connection.output.file == nil { connection.output.body = response.body }
        }
        beginSending(connection)
    }

    /// The `Connection` field of a response, and what follows the response.
    private func persistence(of connection: ServerConnection) -> HeadWriter.Connection {
        if stopBy != nil { connection.closes = true }
        guard connection.closes else {
            return connection.head?.isVersion10 ?? false ? .keepAlive : .implied
        }
        if case .nextRequest = connection.sequel {
            // A client that did not ask to close may have sent more requests.
            connection.sequel = connection.head?.keepsAlive ?? false ? .drain : .close
        }
        return .close
    }

    /// Enters the phase in which output is sent.
    func beginSending(_ connection: ServerConnection) {
        connection.phase = .sending
        connection.beginOutput(at: now)
    }

    /// Sends as much as the socket takes; true when the output is empty.
    func flush(_ connection: ServerConnection) -> Bool {
        while !connection.output.isEmpty {
            let count = Self.send(connection.output, to: connection.descriptor)
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN { countUnsent(connection) } else { close(connection) }
                return false
            }
            connection.output.sentCount += count
            connection.since = now
        }
        discountUnsent(connection)
        return true
    }

    /// Counts the output of a full socket, once.
    private func countUnsent(_ connection: ServerConnection) {
        guard connection.unsentNumber == nil else { return }
        connection.unsentNumber = context.unsent.add(connection, on: queue)
    }

    /// Stops counting an output that was sent, or whose connection is closed.
    func discountUnsent(_ connection: ServerConnection) {
        guard let number = connection.unsentNumber else { return }
        connection.unsentNumber = nil
        context.unsent.remove(number)
    }

    /// One system call for what is left of the file, or of all parts.
    private static func send(_ output: borrowing Output, to descriptor: Int32) -> Int {
        guard let file = output.file, output.sentCount >= output.head.count else {
            return sendParts(output, to: descriptor)
        }
        var offset = output.sentCount - output.head.count
        // The offset lives through the call.
        return unsafe sendfile(descriptor, file.descriptor, &offset, file.count - offset)
    }

    /// One `sendmsg` for all parts that are left.
    private static func sendParts(_ output: borrowing Output, to descriptor: Int32) -> Int {
        let more = output.file == nil ? 0 : Int32(MSG_MORE)
        // The pointers live through the call.
        return unsafe output.head.withUnsafeBytes { head in
            unsafe output.body.withUnsafeBytes { body in
                unsafe output.tail.withUnsafeBytes { tail in
                    var sentCount = output.sentCount
                    var parts = unsafe (
                        unsent(of: head, after: &sentCount),
                        unsent(of: body, after: &sentCount),
                        unsent(of: tail, after: &sentCount)
                    )
                    return unsafe withUnsafeMutablePointer(to: &parts) { parts in
                        unsafe parts.withMemoryRebound(to: iovec.self, capacity: 3) { parts in
                            var message = unsafe msghdr()
                            unsafe message.msg_iov = parts
                            unsafe message.msg_iovlen = 3
                            return unsafe sendmsg(
                                descriptor,
                                &message,
                                Int32(MSG_NOSIGNAL) | more
                            )
                        }
                    }
                }
            }
        }
    }

    /// The unsent rest of a part.
    ///
    /// - Parameters:
    ///   - bytes: the part.
    ///   - sentCount: bytes sent of this part and those behind it; reduced by this part's.
    /// - Returns: the memory of the rest; empty if all was sent.
    private static func unsent(
        of bytes: UnsafeRawBufferPointer,
        after sentCount: inout Int
    ) -> iovec {
        let start = min(sentCount, bytes.count)
        sentCount -= start
        // `sendmsg` only reads through the pointer.
        let base = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        return unsafe iovec(
            iov_base: base.map { unsafe $0 + start },
            iov_len: bytes.count - start
        )
    }
}
