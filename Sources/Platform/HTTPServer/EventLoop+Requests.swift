internal import CHTTPParser
internal import Glibc

extension EventLoop {
    /// Requests of one connection that are answered in a row before others have their turn.
    private static let requestsMax = 32

    /// Something happened to a connection's socket.
    func happened(to connection: ServerConnection, _ bits: UInt32) {
        if bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { return close(connection) }
        if bits & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 { connection.isReadable = true }
        if bits & EPOLLRDHUP.rawValue != 0 { connection.hasPeerEnded = true }
        // Sending more gets nobody a turn before the others, or a second one.
        if !connection.isTurnQueued { advance(connection) }
    }

    /// It is the turn of a connection that let others go first.
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
                    // Behind the others: a client that never pauses holds up nobody.
                    connection.isTurnQueued = true
                    return mailbox.post(.turn(connection.id))
                }
                guard readHead(connection) || receive(connection) else { return }
            case .body:
                guard readBody(connection) || receive(connection) else { return }
            case .sending:
                guard flush(connection) else { return }
                finishAnswer(connection)
            case .streaming:
                guard pump(connection) else { return }
            case .draining:
                guard drain(connection) else { return }
            case .waiting, .closed: return
            }
        }
    }

    /// Takes what the socket has; false if it has nothing, or the connection is over.
    private func receive(_ connection: ServerConnection) -> Bool {
        guard connection.isReadable else { return false }
        connection.dropReadInput()
        let wasEmpty = connection.input.isEmpty
        let count = unsafe scratch.withUnsafeMutableBytes { bytes in
            unsafe recv(connection.descriptor, bytes.baseAddress, bytes.count, 0)
        }
        guard count > 0 else {
            if count < 0, errno == EINTR { return true }
            connection.isReadable = false
            if count == 0 || errno != EAGAIN { close(connection) }
            return false
        }
        // A short read took all there was: more is told anew. The end of it is not.
        if count < scratch.count, !connection.hasPeerEnded { connection.isReadable = false }
        // The time of a further head begins with its first byte.
        if case .head = connection.phase, wasEmpty {
            if connection.hasServed { connection.since = now }
            if let known = connection.known, count == known.bytes.count,
                known.begins(scratch, at: 0, count)
            {
                begin(known, on: connection)
                return true
            }
        }
        connection.input += scratch[..<count]
        return true
    }

    // MARK: - Reading

    /// Reads a head if all of it has come; false if it has not.
    private func readHead(_ connection: ServerConnection) -> Bool {
        let limits = service.limits
        if let known = connection.known,
            known.begins(connection.input, at: connection.inputStart, connection.input.count)
        {
            connection.inputStart += known.bytes.count
            begin(known, on: connection)
            return true
        }
        skipLineEnds(connection)
        guard let end = headEnd(connection) else {
            let count = connection.input.count - connection.inputStart
            guard count > limits.headerBytesMax else { return false }
            refuse(.headerTooLarge, connection)
            return true
        }
        let bytes = Array(connection.input[connection.inputStart..<end])
        connection.inputStart = end
        guard bytes.count <= limits.headerBytesMax else {
            refuse(.headerTooLarge, connection)
            return true
        }
        if let known = knownHeads.head(of: bytes, from: connection.client) {
            connection.known = known
            begin(known, on: connection)
            return true
        }
        guard let head = headReader.read(bytes, from: connection.client) else {
            refuse(.badRequest, connection)
            return true
        }
        if let reason = head.refusal(limits) {
            refuse(reason, connection)
            return true
        }
        guard KnownHead.isKept(head, of: bytes.count) else {
            connection.known = nil
            begin(head, on: connection)
            return true
        }
        let known = KnownHead(head, of: bytes, from: connection.client)
        connection.known = known
        begin(known, on: connection)
        return true
    }

    /// Answers what was asked before as it was answered before, or as anything else.
    private func begin(_ known: KnownHead, on connection: ServerConnection) {
        if sendStanding(known.head, to: connection) { return }
        knownHeads.keep(known)
        begin(known.head, on: connection)
    }

    /// Empty lines before a request are no part of it (RFC 9112, 2.2).
    private func skipLineEnds(_ connection: ServerConnection) {
        while connection.inputStart < connection.input.count,
            connection.input[connection.inputStart] == 13
                || connection.input[connection.inputStart] == 10
        {
            connection.inputStart += 1
        }
    }

    /// Where a head ends, its empty line included; nil if it has not come yet.
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
        if case .none = head.body { return answer([], connection) }
        connection.body = headReader.beginBody(bytesMax: service.limits.bodyBytesMax)
        connection.phase = .body
        connection.since = now
        if head.awaitsContinue, connection.isInputEmpty { sendContinue(connection) }
    }

    /// Has a client go on that waits for a word; a few bytes, for which an idle socket has room.
    private func sendContinue(_ connection: ServerConnection) {
        let word = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        _ = unsafe word.withUnsafeBytes { bytes in
            unsafe Glibc.send(
                connection.descriptor,
                bytes.baseAddress,
                bytes.count,
                Int32(MSG_NOSIGNAL)
            )
        }
    }

    /// Reads what has come of a body; false if more is to come.
    private func readBody(_ connection: ServerConnection) -> Bool {
        guard let body = connection.body else { return false }
        switch body.read(connection.input, from: &connection.inputStart) {
        case .incomplete: return false
        case .complete: answer(body.bytes, connection)
        case .tooLong: refuse(.bodyTooLarge, connection)
        case .broken: refuse(.badRequest, connection)
        }
        return true
    }

    // MARK: - Answering

    private func answer(_ body: [UInt8], _ connection: ServerConnection) {
        connection.body = nil
        guard let request = connection.head?.request else {
            return refuse(.badRequest, connection)
        }
        let whole = body.isEmpty ? request : HTTPServerRequest(request, body: body)
        give(service.handler(whole), to: connection)
    }

    /// Answers a request that no handler sees; nothing behind it can be trusted.
    private func refuse(_ reason: HTTPServerRejection, _ connection: ServerConnection) {
        connection.body = nil
        connection.head = nil
        connection.closes = true
        connection.sequel = .drain
        send(service.refusal(reason, connection.client), to: connection)
    }

    /// Answers, or lets the connection wait; it is given what comes after a wait likewise.
    func give(_ reply: HTTPServerReply, to connection: ServerConnection) {
        switch reply {
        case .response(let response):
            send(response, to: connection)
        case .delayed(let response, let milliseconds):
            wait(connection, milliseconds, continuesDuringStop: false) { .response(response) }
        case .awaited(let awaited):
            let number = wait(
                connection,
                awaited.milliseconds,
                continuesDuringStop: awaited.continuesDuringStop,
                awaited.reply
            )
            guard let number else { return }
            let (mailbox, id) = (mailbox, connection.id)
            awaited.begin { mailbox.post(.resume(id, wait: number)) }
        case .stream(let stream):
            begin(stream, on: connection)
        case .upgrade(let upgrade):
            connection.sequel = .leave(upgrade)
            let fields = upgrade.headers.filter { $0.name.lowercased() != "connection" }
            connection.output.clear()
            headWriter.write(
                101,
                [HTTPServerFields(fields)],
                .none,
                .leaves,
                into: &connection.output.head
            )
            beginSending(connection)
        }
    }

    /// Lets a connection wait; the number of the wait, nil if the server stops and it was answered.
    @discardableResult
    private func wait(
        _ connection: ServerConnection,
        _ milliseconds: Int,
        continuesDuringStop: Bool,
        _ answer: @escaping @Sendable () -> HTTPServerReply
    ) -> Int? {
        if stopBy != nil, !continuesDuringStop {
            give(answer(), to: connection)
            return nil
        }
        connection.waitCount += 1
        let number = connection.waitCount
        connection.wait = (number, answer, continuesDuringStop)
        connection.phase = .waiting
        // Never sooner: of the millisecond that it is now most may be over.
        timers.add(due: now + Int64(milliseconds) + 1, connection.id, wait: number)
        return number
    }

    /// A wait is over: by its time, by somebody's word, or because the server stops.
    func resume(_ id: ConnectionID, wait number: Int) {
        guard let connection = connection(id), let wait = connection.wait, wait.number == number
        else { return }
        connection.wait = nil
        give(wait.answer(), to: connection)
        advance(connection)
    }

    /// The server stops: what waits and may not go on waiting is answered, what is in flight goes
    /// on, and all others are closed.
    func endSoon(_ connection: ServerConnection) {
        connection.closes = true
        switch connection.phase {
        // Whoever stands in line has asked, and is answered at its turn.
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

    /// Answers a request that has come by the stop, and closes a connection on which none has.
    private func answerLast(_ connection: ServerConnection) {
        // What the system has not told of yet has come all the same.
        connection.isReadable = true
        advance(connection)
        if case .head = connection.phase { close(connection) }
    }

    // MARK: - After an answer

    /// Called when the last byte of an answer was handed to the system.
    private func finishAnswer(_ connection: ServerConnection) {
        connection.output.clear()
        connection.endAnswer(isWhole: true)
        connection.head = nil
        connection.hasServed = true
        connection.since = now
        switch connection.sequel {
        case .nextRequest:
            connection.phase = .head
            guard stopBy != nil, connection.isInputEmpty else { return }
            // An answer that had begun when the server stopped promised a next one; whoever has
            // asked already gets it.
            connection.isReadable = true
            if !receive(connection), case .head = connection.phase { beginDraining(connection) }
        case .close: close(connection)
        case .drain: beginDraining(connection)
        case .leave(let upgrade): leave(connection, upgrade)
        }
    }

    private func beginDraining(_ connection: ServerConnection) {
        connection.phase = .draining
        connection.isReadable = true
        _ = shutdown(connection.descriptor, Int32(SHUT_WR))
    }

    /// What a client may still send behind its last answer: closing at once would have its system
    /// throw the answer away.
    private static let drainBytesMax = 1 << 20

    /// Throws away what comes; false when nothing is there, or the connection is over.
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

    /// Hands the socket over; it is served here no longer.
    private func leave(_ connection: ServerConnection, _ upgrade: HTTPServerUpgrade) {
        unwatch(connection.descriptor)
        guard forget(connection) else { return }
        upgrade.takeOver(
            UpgradedSocket(
                descriptor: connection.descriptor,
                remoteAddress: connection.client,
                bytesReadAhead: Array(connection.input[connection.inputStart...])
            )
        )
    }
}
