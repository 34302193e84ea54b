/// What stands before the body of a request.
struct RequestHead {
    let isHead: Bool
    let headers: HeaderTable
    /// The request without a body; nil if its target is none that this server accepts.
    let request: HTTPServerRequest?
}

/// The head of a connection's last request: most clients ask the same question again and again, and
/// what was read, checked and found out about it the last time still holds.
///
/// Bound: heads of up to `bytesMax` bytes are kept, one for each connection.
struct LastHead: Sendable {
    /// Longer heads are read anew each time.
    static let bytesMax = 4_096

    private var bytes: [UInt8] = []
    private var head: RequestHead?

    /// The head that these bytes stood for the last time; nil if the last ones were others.
    func head(of bytes: [UInt8]) -> RequestHead? {
        bytes == self.bytes ? head : nil
    }

    /// Keeps a head with the bytes that it was read from, in place of the last one.
    mutating func keep(_ head: RequestHead, of bytes: [UInt8]) {
        guard bytes.count <= Self.bytesMax else { return forget() }
        self.bytes = bytes
        self.head = head
    }

    /// Lets go of what is kept.
    mutating func forget() { self = LastHead() }
}
