internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

// Functions that libmicrohttpd calls on its own threads: nonisolated, and nothing they are given is
// kept beyond the call.

/// Called when a header is complete, for each piece of a body, and when a request is complete.
func accessHandler(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?,
    uploadBytes: UnsafePointer<CChar>?,
    uploadCount: UnsafeMutablePointer<Int>?,
    requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let connection = unsafe connection,
        let url = unsafe url, let method = unsafe method, let uploadCount = unsafe uploadCount,
        let requestContext = unsafe requestContext
    else { return .NO }
    // The server keeps its dispatcher until the daemon has stopped.
    let dispatcher = unsafe Unmanaged<RequestDispatcher>.fromOpaque(context).takeUnretainedValue()
    guard let known = unsafe requestContext.pointee else {
        guard let record = unsafe connectionRecord(of: connection) else { return .NO }
        record.enter(.body)
        let bytes = unsafe RequestHead.bytes(connection: connection, method: method, url: url)
        let last = record.lastHead.withLock { $0.head(of: bytes) }
        let head =
            unsafe last ?? RequestHead(connection: connection, method: method, url: url)
        let pending = PendingRequest(head: head, record: record)
        // Released by requestCompleted, which follows every request that got this far.
        unsafe requestContext.pointee = Unmanaged.passRetained(pending).toOpaque()
        dispatcher.requestBegan()
        let headerBytes = unsafe hoga_http_header_bytes(connection)
        if let refusal = dispatcher.refusal(of: head, headerBytes, isKnown: last != nil) {
            return unsafe refusal.queue(on: connection)
        }
        if last == nil { record.lastHead.withLock { $0.keep(head, of: bytes) } }
        return .YES
    }
    let pending = unsafe Unmanaged<PendingRequest>.fromOpaque(known).takeUnretainedValue()
    let count = unsafe uploadCount.pointee
    if count > 0 {
        unsafe uploadCount.pointee = 0
        let isWanted = unsafe dispatcher.collect(borrowed(uploadBytes, count), into: pending)
        return isWanted ? .YES : .NO
    }
    if let due = pending.due {
        return unsafe give(due(), to: pending, on: connection, of: dispatcher)
    }
    pending.record.enter(.answer)
    return unsafe give(
        dispatcher.reply(to: pending),
        to: pending,
        on: connection,
        of: dispatcher
    )
}

/// Answers, or lets the connection wait; it is given what comes after a wait likewise.
private func give(
    _ reply: HTTPServerReply,
    to pending: PendingRequest,
    on connection: OpaquePointer,
    of dispatcher: RequestDispatcher
) -> MHD_Result {
    switch reply {
    case .response(let response):
        return unsafe queue(response, of: pending, on: connection, dispatcher)
    case .delayed(let response, let milliseconds):
        pending.due = { .response(response) }
        let waits = unsafe dispatcher.delayedAnswers.suspend(
            SuspendableConnection(connection),
            milliseconds: milliseconds
        )
        return unsafe waits ? .YES : queue(response, of: pending, on: connection, dispatcher)
    case .awaited(let awaited):
        pending.due = awaited.reply
        let waits = unsafe dispatcher.delayedAnswers.suspend(
            SuspendableConnection(connection),
            milliseconds: awaited.milliseconds,
            outlastsStop: awaited.outlastsStop,
            began: awaited.begin
        )
        if waits { return .YES }
        return unsafe give(awaited.reply(), to: pending, on: connection, of: dispatcher)
    case .stream(let stream):
        let answer = unsafe StreamedAnswer(
            stream,
            on: connection,
            openStreams: dispatcher.openStreams
        )
        pending.stream = answer
        // Nothing is asked behind a stream.
        pending.record.lastHead.withLock { $0.forget() }
        return unsafe answer.queue(on: connection, isHead: pending.head.isHead)
    case .upgrade(let upgrade): return unsafe queue(upgrade, of: pending, on: connection)
    }
}

/// Called once for every request that accessHandler has seen, when it is over.
func requestCompleted(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    reason: MHD_RequestTerminationCode
) {
    guard let context = unsafe context, let requestContext = unsafe requestContext,
        let known = unsafe requestContext.pointee
    else { return }
    unsafe requestContext.pointee = nil
    let pending = unsafe Unmanaged<PendingRequest>.fromOpaque(known).takeRetainedValue()
    // A connection that left HTTP awaits no further header.
    if pending.upgrade == nil { pending.record.enter(.nextHeader) }
    pending.stream?.finish()
    pending.notice?.tell(isWhole: hoga_http_is_whole(reason))
    unsafe Unmanaged<RequestDispatcher>.fromOpaque(context).takeUnretainedValue().requestEnded()
}

/// Called when a connection begins and, before its descriptor is closed, when it has ended.
func connectionChanged(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    connectionContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    change: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context, let connection = unsafe connection,
        let connectionContext = unsafe connectionContext
    else { return }
    let dispatcher = unsafe Unmanaged<RequestDispatcher>.fromOpaque(context).takeUnretainedValue()
    if let known = unsafe connectionContext.pointee {
        unsafe connectionContext.pointee = nil
        let record = unsafe Unmanaged<ConnectionRecord>.fromOpaque(known).takeRetainedValue()
        dispatcher.connectionEnded(record)
    } else {
        let record = unsafe ConnectionRecord(descriptor: hoga_http_socket(connection))
        unsafe connectionContext.pointee = Unmanaged.passRetained(record).toOpaque()
        dispatcher.connectionBegan(record)
    }
}

/// The record that connectionChanged made for a connection.
private func connectionRecord(of connection: OpaquePointer) -> ConnectionRecord? {
    unsafe hoga_http_connection_context(connection).map { known in
        unsafe Unmanaged<ConnectionRecord>.fromOpaque(known).takeUnretainedValue()
    }
}

/// Called when the answer that leaves HTTP has been sent.
private func upgraded(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    requestContext: UnsafeMutableRawPointer?,
    extraBytes: UnsafePointer<CChar>?,
    extraCount: Int,
    descriptor: Int32,
    handle: OpaquePointer?
) {
    guard let handle = unsafe handle else { return }
    let pending = unsafe requestContext.map {
        unsafe Unmanaged<PendingRequest>.fromOpaque($0).takeUnretainedValue()
    }
    // The library's descriptor is closed at once and a copy lives on: so the socket has one owner
    // and does not tie the daemon's end to the connection's.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    let peer = unsafe NetworkAddress(connection.flatMap { unsafe hoga_http_client_address($0) })
    let extra = unsafe [UInt8](borrowed(extraBytes, extraCount))
    unsafe hoga_http_upgrade_close(handle)
    guard copy >= 0 else { return }
    _ = fcntl(copy, F_SETFL, fcntl(copy, F_GETFL) | O_NONBLOCK)
    var yes: Int32 = 1
    _ = unsafe setsockopt(
        copy,
        Int32(IPPROTO_TCP),
        TCP_NODELAY,
        &yes,
        socklen_t(MemoryLayout<Int32>.size)
    )
    pending?.upgrade?.takeOver(
        UpgradedSocket(descriptor: copy, remoteAddress: peer, bytesReadAhead: extra)
    )
}

private func queue(
    _ response: HTTPServerResponse,
    of pending: PendingRequest,
    on connection: OpaquePointer,
    _ dispatcher: RequestDispatcher
) -> MHD_Result {
    pending.notice = response.notice
    if dispatcher.isStopping {
        response.closeConnection()
        // An answer that others send, too, does not say it: its connection's input ends instead.
        _ = shutdown(pending.record.descriptor, Int32(SHUT_RD))
    }
    return unsafe response.queue(on: connection)
}

private func queue(
    _ upgrade: HTTPServerUpgrade,
    of pending: PendingRequest,
    on connection: OpaquePointer
) -> MHD_Result {
    let response = unsafe ResponseHandle(upgrade: upgraded)
    for (name, value) in upgrade.headers where name.lowercased() != "connection" {
        response.add(name: name, value: value)
    }
    pending.upgrade = upgrade
    return unsafe response.queue(on: connection, status: 101)
}
