internal import Glibc

/// The head of a connection's last request: most clients ask the same question again and again, and
/// what was read, checked and found out about it the last time still holds.
///
/// Bound: heads of up to `bytesMax` bytes are kept, one for each connection.
struct LastHead {
    /// Longer heads are read anew each time.
    static let bytesMax = 4_096

    private var bytes: [UInt8] = []
    private var head: RequestHead?

    /// The head that these bytes begin with if it is the same as the last one, and its length.
    func head(at start: Int, of input: [UInt8]) -> (head: RequestHead, byteCount: Int)? {
        guard let head, input.count - start >= bytes.count,
            unsafe input.withUnsafeBytes({ input in
                unsafe bytes.withUnsafeBytes { bytes in
                    guard let left = input.baseAddress, let right = bytes.baseAddress
                    else { return false }
                    return unsafe memcmp(left + start, right, bytes.count) == 0
                }
            })
        else { return nil }
        return (head, bytes.count)
    }

    /// Keeps a head without a body with the bytes that it was read from, in place of the last one.
    mutating func keep(_ head: RequestHead, of bytes: [UInt8]) {
        guard bytes.count <= Self.bytesMax, case .none = head.body else { return forget() }
        self.bytes = bytes
        self.head = head
    }

    /// Lets go of what is kept.
    mutating func forget() { self = LastHead() }
}
