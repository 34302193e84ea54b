internal import CHTTPParser
internal import Glibc

extension EventLoop {
    /// Pipelined requests answered in a row before other connections get a turn.
    private static let requestsMax = 32

    /// Handles epoll events of a connection's socket.
    func handleEvents(_ bits: UInt32, on connection: ServerConnection) {
        if bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { return close(connection) }
        if bits & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 { connection.isReadable = true }
        if bits & EPOLLRDHUP.rawValue != 0 { connection.hasPeerEnded = true }
        // A queued connection keeps its place: sending more brings no extra turn.
        if !connection.isTurnQueued { advance(connection) }
    }

    /// Continues a connection that yielded to the others.
    func resumeTurn(_ connection: ServerConnection) {
        connection.isTurnQueued = false
        if stopBy == nil { advance(connection) } else { answerLast(connection) }
    }

    /// Takes a connection as far as it goes without waiting.
    func advance(_ connection: ServerConnection) {
        var requests = 0
        while true {
            switch connection.phase {
            case .head:
                requests += 1
                if requests > Self.requestsMax {
                    connection.isTurnQueued = true
                    return queue.post(.turn(connection.id))
                }
                guard readHead(connection) || receive(connection) else { return }
            case .body:
                guard readBody(connection) || receive(connection) else { return }
            case .sending:
                guard flush(connection) else { return }
                finishResponse(connection)
            case .streaming:
                guard pump(connection) else { return }
            case .draining:
                guard drain(connection) else { return }
            case .waiting, .closed: return
            }
        }
    }

    /// Receives available bytes; false if there are none or the connection is closed.
    private func receive(_ connection: ServerConnection) -> Bool {
        guard connection.isReadable else { return false }
        connection.discardReadInput()
        let count = unsafe scratch.withUnsafeMutableBytes { bytes in
            unsafe recv(connection.descriptor, bytes.baseAddress, bytes.count, 0)
        }
        guard count > 0 else {
            if count < 0, errno == EINTR { return true }
            connection.isReadable = false
            if count == 0 || errno != EAGAIN { close(connection) }
            return false
        }
        // A short read emptied the socket, and epoll reports new bytes. It does not report the
        // peer's end a second time.
        if count < scratch.count, !connection.hasPeerEnded { connection.isReadable = false }
        connection.input += scratch[..<count]
        return true
    }

    // MARK: - Reading

    /// Reads a complete head; false if more bytes are needed.
    private func readHead(_ connection: ServerConnection) -> Bool {
        let limits = context.limits
        guard skipEmptyLines(connection) else {
            reject(.badRequest, connection)
            return true
        }
        guard let end = headEnd(connection) else {
            let count = connection.input.count - connection.inputStart
            guard count > limits.headerBytesMax else { return false }
            reject(.headerTooLarge, connection)
            return true
        }
        let bytes = Array(connection.input[connection.inputStart..<end])
        connection.inputStart = end
        guard bytes.count <= limits.headerBytesMax else {
            reject(.headerTooLarge, connection)
            return true
        }
        guard let head = headReader.read(bytes, from: connection.client) else {
            reject(.badRequest, connection)
            return true
        }
        if let reason = head.rejection(limits) {
            reject(reason, connection)
            return true
        }
        begin(head, on: connection)
        return true
    }

    /// Skips empty lines before a request (RFC 9112, 2.2), which extend no time limit.
    ///
    /// - Returns: false if there are more than a head may have bytes.
    private func skipEmptyLines(_ connection: ServerConnection) -> Bool {
        let input = connection.input
        while input[connection.inputStart...].starts(with: HeadWriter.lineEnd) {
            connection.inputStart += HeadWriter.lineEnd.count
            connection.emptyLineBytes += HeadWriter.lineEnd.count
        }
        let rest = input[connection.inputStart...]
        let isHead = !HeadWriter.lineEnd.starts(with: rest)
        if isHead, connection.hasServed, !connection.hasBegunHead { connection.since = now }
        connection.hasBegunHead = isHead
        return connection.emptyLineBytes <= context.limits.headerBytesMax
    }

    /// The index behind the empty line that ends a head; nil if it has not arrived.
    private func headEnd(_ connection: ServerConnection) -> Int? {
        let input = connection.input
        var start = connection.inputStart
        while let line = input[start...].firstIndex(of: 10) {
            start = line + 1
            if start < input.count, input[start] == 10 { return start + 1 }
            if start + 1 < input.count, input[start] == 13, input[start + 1] == 10 {
                return start + 2
            }
        }
        return nil
    }

    private func begin(_ head: RequestHead, on connection: ServerConnection) {
        connection.head = head
        connection.closes = !head.keepsAlive || stopBy != nil
        let bytesMax = context.limits.bodyBytesMax
        switch head.body {
        case .none: return answer([], connection)
        // A longer one was rejected.
        case .length(let count):
            connection.body = BodyReader(length: Int(count), bytesMax: bytesMax)
        case .chunks: connection.body = BodyReader(chunksOf: bytesMax)
        }
        connection.phase = .body
        connection.since = now
        if head.awaitsContinue, connection.isInputEmpty { sendContinue(connection) }
    }

    /// Sends `100 Continue`, which fits an idle socket's buffer.
    private func sendContinue(_ connection: ServerConnection) {
        let line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        _ = unsafe line.withUnsafeBytes { bytes in
            unsafe Glibc.send(
                connection.descriptor,
                bytes.baseAddress,
                bytes.count,
                Int32(MSG_NOSIGNAL)
            )
        }
    }

    /// Reads the received part of a body; false if more bytes are needed.
    private func readBody(_ connection: ServerConnection) -> Bool {
        switch connection.body?.read(connection.input, from: &connection.inputStart) {
        case .incomplete, nil: return false
        case .complete: answer(connection.body?.bytes ?? [], connection)
        case .tooLong: reject(.bodyTooLarge, connection)
        case .malformed: reject(.badRequest, connection)
        }
        return true
    }

    // MARK: - Responding

    private func answer(_ body: [UInt8], _ connection: ServerConnection) {
        connection.body = nil
        guard let request = connection.head?.request else {
            return reject(.badRequest, connection)
        }
        let complete = body.isEmpty ? request : HTTPServerRequest(request, body: body)
        reply(context.handler(complete), to: connection)
    }

    /// Answers without asking the handler, and closes: bytes behind a malformed request have no
    /// known framing.
    private func reject(_ reason: HTTPServerRejection, _ connection: ServerConnection) {
        connection.body = nil
        connection.head = nil
        connection.closes = true
        connection.sequel = .drain
        send(context.rejection(reason, connection.client), to: connection)
    }

    /// Sends a response, or starts the wait or stream that the handler returned.
    func reply(_ reply: HTTPServerReply, to connection: ServerConnection) {
        switch reply {
        case .response(let response):
            send(response, to: connection)
        case .delayed(let response, let milliseconds):
            wait(connection, milliseconds, continuesDuringStop: false) { .response(response) }
        case .deferred(let deferred):
            let number = wait(
                connection,
                deferred.milliseconds,
                continuesDuringStop: deferred.continuesDuringStop,
                deferred.reply
            )
            guard let number else { return }
            let (queue, id) = (queue, connection.id)
            deferred.begin { queue.post(.resume(id, wait: number)) }
        case .stream(let stream):
            begin(stream, on: connection)
        case .upgrade(let upgrade):
            connection.sequel = .upgrade(upgrade)
            let fields = upgrade.headers.filter { $0.name.lowercased() != "connection" }
            connection.output.clear()
            headWriter.write(
                101,
                [HTTPServerFields(fields)],
                .none,
                .upgrade,
                into: &connection.output.head
            )
            beginSending(connection)
        }
    }

    /// Suspends a connection until its deadline or ``resume(_:wait:)``.
    ///
    /// - Returns: the number of the wait; nil if the server is stopping and answered at once.
    @discardableResult
    private func wait(
        _ connection: ServerConnection,
        _ milliseconds: Int,
        continuesDuringStop: Bool,
        _ makeReply: @escaping @Sendable () -> HTTPServerReply
    ) -> Int? {
        if stopBy != nil, !continuesDuringStop {
            reply(makeReply(), to: connection)
            return nil
        }
        connection.waitCount += 1
        let number = connection.waitCount
        connection.wait = (number, makeReply, continuesDuringStop)
        connection.phase = .waiting
        // `now` is rounded down: one more millisecond keeps the delay from ending early.
        timers.add(due: now + Int64(milliseconds) + 1, connection.id, wait: number)
        return number
    }

    /// Ends a wait: its deadline passed, its event happened, or the server is stopping.
    func resume(_ id: ConnectionID, wait number: Int) {
        guard let connection = connection(id), let wait = connection.wait, wait.number == number
        else { return }
        connection.wait = nil
        reply(wait.makeReply(), to: connection)
        advance(connection)
    }

    // MARK: - Stopping

    /// Finishes requests in flight and closes idle connections.
    func beginStop(of connection: ServerConnection) {
        connection.closes = true
        switch connection.phase {
        // A queued connection has requests waiting; its turn answers them.
        case .head: if !connection.isTurnQueued { answerLast(connection) }
        case .draining: close(connection)
        case .waiting:
            if let wait = connection.wait, !wait.continuesDuringStop {
                resume(connection.id, wait: wait.number)
            }
        case .streaming: wake(connection)
        case .body, .sending, .closed: break
        }
    }

    /// Answers a request that arrived before the stop; closes a connection without one.
    private func answerLast(_ connection: ServerConnection) {
        // Bytes may have arrived that epoll has not reported yet.
        connection.isReadable = true
        advance(connection)
        if case .head = connection.phase { close(connection) }
    }

    // MARK: - After a response

    /// Continues once the kernel took the last byte of a response.
    private func finishResponse(_ connection: ServerConnection) {
        connection.output.clear()
        connection.completeResponse(isComplete: true)
        connection.head = nil
        connection.hasServed = true
        connection.hasBegunHead = false
        connection.emptyLineBytes = 0
        connection.since = now
        switch connection.sequel {
        case .nextRequest:
            connection.phase = .head
            guard stopBy != nil, connection.isInputEmpty else { return }
            // This response began before the stop, without `Connection: close`: a request that
            // the client has sent meanwhile is still answered.
            connection.isReadable = true
            if !receive(connection), case .head = connection.phase { beginDraining(connection) }
        case .close: close(connection)
        case .drain: beginDraining(connection)
        case .upgrade(let upgrade): handOver(connection, upgrade)
        }
    }

    private func beginDraining(_ connection: ServerConnection) {
        connection.phase = .draining
        connection.isReadable = true
        _ = shutdown(connection.descriptor, Int32(SHUT_WR))
    }

    /// Bytes discarded behind a last response: closing at once would reset the connection, and the
    /// client's kernel would drop the response.
    private static let drainBytesMax = 1 << 20

    /// Discards input; false if there is none or the connection is closed.
    private func drain(_ connection: ServerConnection) -> Bool {
        guard connection.isReadable else { return false }
        let count = unsafe scratch.withUnsafeMutableBytes { bytes in
            unsafe recv(connection.descriptor, bytes.baseAddress, bytes.count, 0)
        }
        if count < 0, errno == EAGAIN {
            connection.isReadable = false
            return false
        }
        connection.drainedBytes += max(0, count)
        if count <= 0 || connection.drainedBytes > Self.drainBytesMax {
            close(connection)
            return false
        }
        return true
    }

    /// Hands the socket over after `101 Switching Protocols`.
    private func handOver(_ connection: ServerConnection, _ upgrade: HTTPServerUpgrade) {
        unwatch(connection.descriptor)
        guard remove(connection) else { return }
        upgrade.takeOver(
            UpgradedSocket(
                descriptor: connection.descriptor,
                remoteAddress: connection.client,
                bytesReadAhead: Array(connection.input[connection.inputStart...])
            )
        )
    }
}
