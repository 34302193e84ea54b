public import SharedMemory

/// A complete response.
///
/// Without `ended` it may be sent any number of times, to any number of connections at once; bodies
/// are shared, not copied. `Content-Length`, `Date` and `Connection` are added by the server.
public final class HTTPServerResponse: Sendable {
    /// The HTTP status, 200...599.
    public let status: Int
    /// The body; not sent for HEAD, 204 and 304.
    public var body: [UInt8] { sharedBody.bytes }

    let sharedBody: SharedBytes

    /// Fields shared with other responses.
    let sharedFields: HTTPServerFields?
    let ownFields: HTTPServerFields
    let completion: ResponseCompletion?

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - headers: the fields beside those that the server adds.
    ///   - sharedFields: fields sent before `headers`.
    ///   - sharedBody: the body, perhaps that of other responses too.
    ///   - ended: called once, on a thread of the server: true when the kernel took the last byte,
    ///     false when the client disconnected before or the response was never sent.
    /// - Precondition: the status is 200...599; for `headers` see ``HTTPServerFields``.
    public init(
        status: Int,
        headers: [(name: String, value: String)],
        sharedFields: HTTPServerFields? = nil,
        sharedBody: SharedBytes,
        ended: (@Sendable (_ isComplete: Bool) -> Void)? = nil
    ) {
        precondition((200...599).contains(status), "a response has a status of 200...599")
        self.status = status
        self.sharedBody = sharedBody
        self.sharedFields = sharedFields
        ownFields = HTTPServerFields(headers)
        completion = ended.map(ResponseCompletion.init)
    }

    /// Makes a response with a body of its own.
    public convenience init(
        status: Int,
        headers: [(name: String, value: String)],
        sharedFields: HTTPServerFields? = nil,
        body: [UInt8],
        ended: (@Sendable (_ isComplete: Bool) -> Void)? = nil
    ) {
        self.init(
            status: status,
            headers: headers,
            sharedFields: sharedFields,
            sharedBody: SharedBytes(body),
            ended: ended
        )
    }

    /// All header fields in their order.
    public var headers: [(name: String, value: String)] {
        (sharedFields?.list ?? []) + ownFields.list
    }
}
