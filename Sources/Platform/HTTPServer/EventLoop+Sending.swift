internal import CHTTPParser
internal import Glibc

extension EventLoop {
    /// Begins to send a complete answer.
    func send(_ response: HTTPServerResponse, to connection: ServerConnection) {
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
    func sendStanding(_ head: RequestHead, to connection: ServerConnection) -> Bool {
        // What the connection has to be told of itself stands in no answer.
        guard stopBy == nil, head.keepsAlive, !head.isOld,
            let answer = head.request?.memory.answer
        else { return false }
        standingFields.bytes.removeAll(keepingCapacity: true)
        guard let note = answer.begin(&standingFields) else { return false }
        let standing = answer.head
        headWriter.write(standing, standingFields, into: &standingHead)
        // Nobody holds the shared bytes for it: that alone would have loops wait for each other.
        let byteCount = standingHead.count + (head.isHead ? 0 : standing.body.byteCount)
        let sent = Self.send(connection.descriptor, standingHead, standing, isHead: head.isHead)
        bytesSinceTurn += max(0, sent)
        if sent == byteCount {
            answer.end(note, isWhole: true)
            connection.hasServed = true
            connection.since = now
            return true
        }
        // What is left goes out as the socket takes it; if it takes nothing any more, that is
        // found then.
        connection.output.clear()
        connection.output.head = standingHead
        if !head.isHead { connection.output.body = standing.body.bytes }
        connection.output.sentCount = max(0, sent)
        connection.begun = (answer, note)
        connection.head = head
        beginSending(connection)
        return true
    }

    /// What the head of an answer says about the connection.
    private func word(for connection: ServerConnection) -> HeadWriter.Connection {
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
    func beginSending(_ connection: ServerConnection) {
        connection.phase = .sending
        connection.beginOutput(at: now)
    }

    /// Sends as much as the socket takes; true when all of it went.
    func flush(_ connection: ServerConnection) -> Bool {
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
        // The pointers live through the call.
        unsafe output.head.withUnsafeBytes { head in
            unsafe output.body.withUnsafeBytes { body in
                unsafe output.tail.withUnsafeBytes { tail in
                    var skipped = output.sentCount
                    return unsafe send(
                        descriptor,
                        rest(of: head, behind: &skipped),
                        rest(of: body, behind: &skipped),
                        rest(of: tail, behind: &skipped)
                    )
                }
            }
        }
    }

    /// One call of the system for an answer that stands, from its beginning.
    private static func send(
        _ descriptor: Int32,
        _ head: [UInt8],
        _ standing: StandingHead,
        isHead: Bool
    ) -> Int {
        unsafe head.withUnsafeBytes { head in
            unsafe standing.body.bytes.withUnsafeBytes { body in
                var skipped = 0
                let head = unsafe rest(of: head, behind: &skipped)
                let none = unsafe iovec()
                let body = unsafe isHead ? none : rest(of: body, behind: &skipped)
                return unsafe send(descriptor, head, body, none)
            }
        }
    }

    /// The system only reads from the parts.
    private static func send(
        _ descriptor: Int32,
        _ head: iovec,
        _ body: iovec,
        _ tail: iovec
    ) -> Int {
        var parts = unsafe (head, body, tail)
        return unsafe withUnsafeMutablePointer(to: &parts) { parts in
            unsafe parts.withMemoryRebound(to: iovec.self, capacity: 3) { parts in
                var message = unsafe msghdr()
                unsafe message.msg_iov = parts
                unsafe message.msg_iovlen = 3
                return unsafe sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
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
