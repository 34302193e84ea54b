internal import CMicroHTTPD

/// An answer made once and sent any number of times, to any number of connections together.
///
/// `Content-Length`, `Date` and `Connection` are added where they belong.
public final class HTTPServerResponse: Sendable {
    /// The HTTP status, 200...599.
    public let status: Int
    /// How many bytes the body has.
    public let bodyByteCount: Int

    private let handle: ResponseHandle

    /// Makes an answer; the body is copied.
    ///
    /// - Precondition: the status is 200...599; names are tokens and values hold no line break or
    ///   zero byte, so text from outside must not get into them unchecked.
    public init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        precondition((200...599).contains(status), "an answer's status is 200...599")
        self.status = status
        bodyByteCount = body.count
        handle = ResponseHandle(body: body)
        for (name, value) in headers { handle.add(name: name, value: value) }
    }

    /// Sends the answer on a connection that waits for one; false if the connection is past that.
    func queue(on connection: OpaquePointer) -> MHD_Result {
        unsafe handle.queue(on: connection, status: UInt32(status))
    }
}

/// The one owner of an `MHD_Response`.
///
/// Unchecked: the library counts references to a response under its own lock and never changes
/// one that is queued; headers are added before the first use.
@safe
final class ResponseHandle: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(body: [UInt8]) {
        let made = unsafe body.withUnsafeBytes { bytes in
            // The library copies the bytes before it returns.
            unsafe hoga_http_response(bytes.baseAddress, bytes.count)
        }
        guard let made = unsafe made else { preconditionFailure("no memory for an answer") }
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
        let result = unsafe MHD_add_response_header(pointer, name, value)
        precondition(result == .YES, "\(name) is no header that an answer may have")
    }

    func queue(on connection: OpaquePointer, status: UInt32) -> MHD_Result {
        unsafe MHD_queue_response(connection, status, pointer)
    }
}
