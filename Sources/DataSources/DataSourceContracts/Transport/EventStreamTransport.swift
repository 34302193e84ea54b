/// Opens event streams over HTTP: what the readers of another hoga need of a network.
public protocol EventStreamTransport: Sendable {
    /// Sends a request and waits for the head of the answer.
    ///
    /// - Parameter request: its `timeout` bounds connecting, and nothing else; its `bodyBytesMax`
    ///   bounds one event, and the body of an answer that is no stream.
    /// - Returns: the open stream, whatever its status; the caller closes it.
    /// - Throws: ``TransportError`` when there is no head; `cancelled` promptly when the calling
    ///   task is cancelled.
    func open(
        _ request: HTTPRequest
    ) async throws(TransportError) -> any EventStreamConnection
}

/// One open event stream.
///
/// At most one task receives at a time. While nobody does, at most a named number of bytes is
/// kept; then the peer feels back pressure.
public protocol EventStreamConnection: Sendable {
    /// The HTTP status code of the answer.
    var status: Int { get }
    /// Header values by lower-case name; of repeated headers the last one.
    var headers: [String: String] { get }

    /// Waits until something has come, and returns every event that is complete then.
    ///
    /// - Returns: perhaps no event: a comment, or a part of an event, is a sign of life too.
    /// - Throws: ``TransportError``: `closed` at the end of the stream, `tooLarge` for an event
    ///   beyond the bound; `cancelled` promptly when the calling task is cancelled, which loses
    ///   nothing that came.
    func receive() async throws(TransportError) -> EventBatch

    /// Reads the answer to its end, where it is no stream.
    ///
    /// - Throws: ``TransportError`` as ``receive()`` does.
    func body() async throws(TransportError) -> [UInt8]

    /// Ends the stream and frees the connection; idempotent, and returns at once.
    func close()
}

/// Events that came together, in order.
public struct EventBatch: Sendable, Hashable {
    /// The events.
    public var events: [ServerSentEvent]
    /// How long the server asks a reader to wait before it comes back; nil if it did not say.
    public var retry: Duration?

    /// Makes a batch.
    public init(events: [ServerSentEvent] = [], retry: Duration? = nil) {
        self.events = events
        self.retry = retry
    }
}

/// One event of a stream.
public struct ServerSentEvent: Sendable, Hashable {
    /// What kind of event it is; `message` where the server did not say.
    public var name: String
    /// The id of the last event that had one, this one included; empty before any.
    public var lastEventID: String
    /// The lines of its data, joined by line feeds.
    public var data: [UInt8]

    /// Makes an event.
    public init(name: String, lastEventID: String, data: [UInt8]) {
        self.name = name
        self.lastEventID = lastEventID
        self.data = data
    }
}
