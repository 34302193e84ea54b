internal import CMicroHTTPD
internal import Synchronization

/// A complete answer, made for one request or, without `ended`, sent any number of times to any
/// number of connections together.
///
/// `Content-Length`, `Date` and `Connection` are added where they belong.
public final class HTTPServerResponse: Sendable {
    /// The HTTP status, 200...599.
    public let status: Int
    /// The headers it was made with, in their order.
    public let headers: [(name: String, value: String)]
    /// How many bytes the body has.
    public let bodyByteCount: Int

    /// Told by the request that the answer was given to.
    let notice: EndNotice?
    private let handle: ResponseHandle
    /// Whether a connection has got it: it is not changed any more.
    private let isInUse = Atomic<Bool>(false)

    /// Makes an answer around bytes that other answers may share; they are not copied.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - headers: what is sent beside the headers of the connection.
    ///   - body: the bytes; left out for HEAD and for statuses without a body.
    ///   - ended: called once, on a thread of the server, when the last byte was handed to the
    ///     system or the client left before; with false also if the answer was never sent.
    /// - Precondition: the status is 200...599; names are tokens and values hold no line break or
    ///   zero byte, so text from outside must not get into them unchecked.
    public init(
        status: Int,
        headers: [(name: String, value: String)],
        sharing body: HTTPServerBody,
        ended: (@Sendable (_ isWhole: Bool) -> Void)? = nil
    ) {
        precondition((200...599).contains(status), "an answer's status is 200...599")
        self.status = status
        self.headers = headers
        bodyByteCount = body.byteCount
        notice = ended.map(EndNotice.init)
        handle = ResponseHandle(body: body)
        for (name, value) in headers { handle.add(name: name, value: value) }
    }

    /// Makes an answer with a body of its own, which is copied.
    ///
    /// - Precondition: as ``init(status:headers:sharing:ended:)`` says.
    public convenience init(
        status: Int,
        headers: [(name: String, value: String)],
        body: [UInt8],
        ended: (@Sendable (_ isWhole: Bool) -> Void)? = nil
    ) {
        self.init(status: status, headers: headers, sharing: HTTPServerBody(body), ended: ended)
    }

    /// Has the connection closed behind this answer, and says so unless others send it already.
    func closeConnection() {
        if isInUse.exchange(true, ordering: .relaxed) { return }
        handle.add(name: "Connection", value: "close")
    }

    /// Sends the answer on a connection that waits for one.
    ///
    /// - Returns: whether the connection takes it.
    func queue(on connection: OpaquePointer) -> MHD_Result {
        isInUse.store(true, ordering: .relaxed)
        return unsafe handle.queue(on: connection, status: UInt32(status))
    }
}

/// The one owner of an `MHD_Response`.
///
/// Unchecked: the library counts references to a response under its own lock and never changes
/// one that is queued; headers are added before the first use.
@safe
final class ResponseHandle: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Takes over an answer that was just made.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    /// An answer around bytes that it keeps alive.
    init(body: HTTPServerBody) {
        guard let made = unsafe body.makeAnswer() else {
            preconditionFailure("no memory for an answer")
        }
        unsafe pointer = made
    }

    /// The answer with which a connection leaves HTTP.
    init(upgrade handler: MHD_UpgradeHandler) {
        guard let made = unsafe MHD_create_response_for_upgrade(handler, nil) else {
            preconditionFailure("no memory for an answer")
        }
        unsafe pointer = made
    }

    deinit {
        // Connections that still send it hold references of their own.
        unsafe MHD_destroy_response(pointer)
    }

    func add(name: String, value: String) {
        // Not converted at the call, which would copy both texts.
        let result = unsafe name.withCString { name in
            unsafe value.withCString { value in
                unsafe MHD_add_response_header(pointer, name, value)
            }
        }
        precondition(result == .YES, "\(name) is no header that an answer may have")
    }

    /// Lets the connection's end be the body's end.
    ///
    /// To HEAD the library in 0.9.75 would send the last chunk of a body in chunks, which the
    /// client takes for the next answer.
    func leaveOutChunks() {
        let result = unsafe hoga_http_leave_out_chunks(pointer)
        precondition(result == .YES, "an answer without a length may leave out chunks")
    }

    func queue(on connection: OpaquePointer, status: UInt32) -> MHD_Result {
        unsafe MHD_queue_response(connection, status, pointer)
    }
}
