/// A complete answer, made for one request or, without `ended`, sent any number of times to any
/// number of connections together.
///
/// `Content-Length`, `Date` and `Connection` are added where they belong.
public final class HTTPServerResponse: Sendable {
    /// The HTTP status, 200...599.
    public let status: Int

    let body: HTTPServerBody
    /// The fields that it shares with other answers.
    let sharedFields: HTTPServerFields?
    /// Those of its own.
    let ownFields: HTTPServerFields
    /// Told by the request that the answer was given to.
    let notice: ResponseCompletion?

    /// Makes an answer around bytes that other answers may share; they are not copied.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - headers: what is sent beside the headers of the connection.
    ///   - fields: what is sent before them.
    ///   - body: the bytes; left out for HEAD and for statuses without a body.
    ///   - ended: called once, on a thread of the server, when the last byte was handed to the
    ///     system or the client left before; with false also if the answer was never sent.
    /// - Precondition: the status is 200...599; names are tokens and values hold no line break or
    ///   zero byte, so text from outside must not get into them unchecked.
    public init(
        status: Int,
        headers: [(name: String, value: String)],
        behind fields: HTTPServerFields? = nil,
        sharing body: HTTPServerBody,
        ended: (@Sendable (_ isWhole: Bool) -> Void)? = nil
    ) {
        precondition((200...599).contains(status), "an answer's status is 200...599")
        self.status = status
        self.body = body
        sharedFields = fields
        ownFields = HTTPServerFields(headers)
        notice = ended.map(ResponseCompletion.init)
    }

    /// Makes an answer with a body of its own.
    ///
    /// - Precondition: as ``init(status:headers:behind:sharing:ended:)`` says.
    public convenience init(
        status: Int,
        headers: [(name: String, value: String)],
        body: [UInt8],
        ended: (@Sendable (_ isWhole: Bool) -> Void)? = nil
    ) {
        self.init(status: status, headers: headers, sharing: HTTPServerBody(body), ended: ended)
    }

    /// The headers it was made with, in their order.
    public var headers: [(name: String, value: String)] {
        (sharedFields?.list ?? []) + ownFields.list
    }

    /// How many bytes the body has.
    public var bodyByteCount: Int { body.byteCount }
}
