/// One thing that a server sent.
public enum Traffic: Sendable, Hashable {
    /// A complete answer to a request for a path, which is given without host and query.
    case answer(path: String, status: Int, body: [UInt8])
    /// A message of a stream.
    case message([UInt8])
}

/// Takes down what servers send.
public protocol TrafficRecorder: Sendable {
    /// Takes down what came together, in order.
    ///
    /// Whoever hands it over waits until it is taken, so a slow recorder slows the connection down
    /// and nothing heaps up between them.
    func record(_ traffic: [Traffic]) async
}
