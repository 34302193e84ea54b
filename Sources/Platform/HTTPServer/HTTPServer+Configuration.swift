extension HTTPServer {
    /// Where a server listens and what it bounds; there are no defaults: callers state their own.
    public struct Configuration: Sendable, Hashable {
        /// The address to listen on: `127.0.0.1`, `::1`, `0.0.0.0`, or a name of this machine.
        public var host: String
        /// The port to listen on; 0 takes any free one, told by ``HTTPServer/port``.
        public var port: UInt16
        /// How many threads serve requests, 1 or more; handlers run on them.
        public var threads: Int
        /// The most connections at one time; further ones wait in the system's queue.
        public var connectionsMax: Int
        /// The most connections of one client address; further ones are closed at once.
        public var connectionsPerClientMax: Int
        /// A connection on which nothing moves for this long is closed.
        public var idleTimeoutSeconds: Int
        /// The least rate at which answers are taken: a connection whose answer, or piece of a
        /// stream, is not all sent within ``idleTimeoutSeconds`` and the time that it takes at this
        /// rate is closed, however steadily its client takes a little.
        public var sentBytesPerSecondMin: Int
        /// The longest that a request's header may take, and then its body, however steadily
        /// their bytes trickle in; a connection that exceeds it is closed.
        public var requestSecondsMax: Int
        /// The longest request header in bytes, request line included; a longer one is answered
        /// with 431 and its connection is closed.
        public var headerBytesMax: Int
        /// The longest request body in bytes; a longer one is answered with 413 and its connection
        /// is closed.
        public var bodyBytesMax: Int
        /// The longest that ``HTTPServer/stop()`` waits for requests in flight.
        public var stopSecondsMax: Int

        /// Makes a configuration; counts below 1 count as 1.
        public init(
            host: String,
            port: UInt16,
            threads: Int,
            connectionsMax: Int,
            connectionsPerClientMax: Int,
            idleTimeoutSeconds: Int,
            sentBytesPerSecondMin: Int,
            requestSecondsMax: Int,
            headerBytesMax: Int,
            bodyBytesMax: Int,
            stopSecondsMax: Int
        ) {
            self.host = host
            self.port = port
            self.threads = threads
            self.connectionsMax = connectionsMax
            self.connectionsPerClientMax = connectionsPerClientMax
            self.idleTimeoutSeconds = idleTimeoutSeconds
            self.sentBytesPerSecondMin = sentBytesPerSecondMin
            self.requestSecondsMax = requestSecondsMax
            self.headerBytesMax = headerBytesMax
            self.bodyBytesMax = bodyBytesMax
            self.stopSecondsMax = stopSecondsMax
        }
    }
}
