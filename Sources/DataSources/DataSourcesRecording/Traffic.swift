/// One response or message of a server.
public enum Traffic: Sendable, Hashable {
    /// A complete response for a path without host and query.
    case answer(path: String, status: Int, body: [UInt8])
    /// A message of a stream.
    case message([UInt8])
}

/// Records the traffic of servers.
public protocol TrafficRecorder: Sendable {
    /// Records traffic that arrived together, in order.
    ///
    /// The connection waits until this returns, so a slow recorder slows the connection and no
    /// queue grows between them.
    func record(_ traffic: [Traffic]) async
}
