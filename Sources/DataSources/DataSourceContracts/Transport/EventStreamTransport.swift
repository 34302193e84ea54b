/// Opens event streams over HTTP, such as those of another hoga.
public protocol EventStreamTransport: Sendable {
    /// Sends a request and waits for the head of the response.
    ///
    /// - Parameter request: its `timeout` bounds connecting only; its `bodyBytesMax` bounds one
    ///   event, and the body of a response that is no stream.
    /// - Returns: the open stream, of any status; the caller closes it.
    /// - Throws: ``TransportError`` without a head; `cancelled` promptly when the calling task is
    ///   cancelled.
    func open(
        _ request: HTTPRequest
    ) async throws(TransportError) -> any EventStreamConnection
}

/// One open event stream.
///
/// At most one task receives at a time. While none does, a bounded number of bytes waits; then the
/// peer feels back pressure.
public protocol EventStreamConnection: Sendable {
    /// The HTTP status code of the response.
    var status: Int { get }
    /// Header values by lower-case name; of repeated headers the last one.
    var headers: [String: String] { get }

    /// Waits for bytes and returns every event that is complete then.
    ///
    /// - Returns: possibly no event: a comment or a part of an event shows a live connection, too.
    /// - Throws: ``TransportError``: `closed` at the end of the stream, `tooLarge` for an event
    ///   beyond the bound; `cancelled` promptly when the calling task is cancelled, without loss of
    ///   bytes.
    func receive() async throws(TransportError) -> EventBatch

    /// Reads the whole body of a response that is no stream.
    ///
    /// - Throws: ``TransportError`` as ``receive()`` does.
    func body() async throws(TransportError) -> [UInt8]

    /// Ends the stream and frees the connection; idempotent, returns at once.
    func close()
}

/// Events that arrived together, in order.
public struct EventBatch: Sendable, Hashable {
    /// The events.
    public var events: [ServerSentEvent]
    /// The reconnection time that the server sent (`retry`); nil if none.
    public var retry: Duration?

    /// Makes a batch.
    public init(events: [ServerSentEvent] = [], retry: Duration? = nil) {
        self.events = events
        self.retry = retry
    }
}

/// One event of a stream.
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event; `message` by default.
    public var name: String
    /// The id of the last event that had one, this one included; empty before that.
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
