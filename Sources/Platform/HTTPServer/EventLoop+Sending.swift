internal import CHTTPParser
internal import Glibc

extension EventLoop {
    /// Begins to send a complete answer.
    func send(_ response: HTTPServerResponse, to connection: ServedConnection) {
        connection.notice = response.notice
        let framing: HeadWriter.Framing =
            switch response.status {
            // A 304 may tell the length of what it stands for; there are clients that then wait.
            case 204, 304: .none
            default: .length(response.body.byteCount)
            }
        connection.output.clear()
        headWriter.write(
            response.status,
            response.sharedFields.map { [$0, response.ownFields] } ?? [response.ownFields],
            framing,
            word(for: connection),
            into: &connection.output.head
        )
        if case .length = framing, !(connection.head?.isHead ?? false) {
            connection.output.body = response.body.bytes
        }
        beginSending(connection)
    }

    /// Sends the answer that stands for a request; false if none does.
    func sendStanding(_ head: RequestHead, to connection: ServedConnection) -> Bool {
        // What the connection has to be told of itself stands in no answer.
        guard stopBy == nil, head.keepsAlive, !head.isOld,
            let answer = head.request?.memory.answer
        else { return false }
        standingFields.bytes.removeAll(keepingCapacity: true)
        guard let note = answer.begin(&standingFields) else { return false }
        headWriter.write(answer.head, standingFields, into: &standingOutput.head)
        if !head.isHead { standingOutput.body = answer.head.body.bytes }
        standingOutput.sentCount = max(
            0,
            Self.sendOnce(connection.descriptor, standingOutput)
        )
        bytesSinceTurn += standingOutput.sentCount
        if standingOutput.isEmpty {
            standingOutput.clear()
            answer.end(note, isWhole: true)
            connection.hasServed = true
            connection.since = now
            return true
        }
        // What is left goes out as the socket takes it; if it takes nothing any more, that is
        // found then.
        connection.output = standingOutput
        standingOutput = Output()
        connection.begun = (answer, note)
        connection.head = head
        beginSending(connection)
        return true
    }

    /// What the head of an answer says about the connection.
    private func word(for connection: ServedConnection) -> HeadWriter.Connection {
        if stopBy != nil { connection.closes = true }
        guard connection.closes else {
            return connection.head?.isOld ?? false ? .staysOpen : .goesOn
        }
        if case .nextRequest = connection.sequel {
            // Who stops a server may have asked for more already.
            connection.sequel = connection.head?.keepsAlive ?? false ? .drain : .close
        }
        return .closes
    }

    /// Enters the phase in which the output goes out.
    func beginSending(_ connection: ServedConnection) {
        connection.phase = .sending
        connection.beginOutput(at: now)
    }

    /// Sends as much as the socket takes; true when all of it went.
    func flush(_ connection: ServedConnection) -> Bool {
        while !connection.output.isEmpty {
            let count = Self.sendOnce(connection.descriptor, connection.output)
            if count < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN { close(connection) }
                return false
            }
            connection.output.sentCount += count
            bytesSinceTurn += count
            connection.since = now
        }
        return true
    }

    /// One call of the system for all parts that are left.
    private static func sendOnce(_ descriptor: Int32, _ output: borrowing Output) -> Int {
        // The pointers live through the call, and the system only reads from them.
        unsafe output.head.withUnsafeBytes { head in
            unsafe output.body.withUnsafeBytes { body in
                unsafe output.tail.withUnsafeBytes { tail in
                    var skipped = output.sentCount
                    var parts = unsafe (
                        rest(of: head, behind: &skipped), rest(of: body, behind: &skipped),
                        rest(of: tail, behind: &skipped)
                    )
                    return unsafe withUnsafeMutablePointer(to: &parts) { parts in
                        unsafe parts.withMemoryRebound(to: iovec.self, capacity: 3) { parts in
                            var message = unsafe msghdr()
                            unsafe message.msg_iov = parts
                            unsafe message.msg_iovlen = 3
                            return unsafe sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
                        }
                    }
                }
            }
        }
    }

    /// What is left of a part when so many bytes, of it and of others before it, were sent.
    private static func rest(
        of bytes: UnsafeRawBufferPointer,
        behind sentCount: inout Int
    ) -> iovec {
        let start = min(sentCount, bytes.count)
        sentCount -= start
        let base = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        return unsafe iovec(
            iov_base: base.map { unsafe $0 + start },
            iov_len: bytes.count - start
        )
    }
}
