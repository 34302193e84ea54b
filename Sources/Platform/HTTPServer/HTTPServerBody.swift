/// Bytes that any number of answers share, on any number of connections, without a copy of them.
public final class HTTPServerBody: Sendable {
    /// How many bytes they are.
    public let byteCount: Int

    private let bytes: SharedBytes

    /// Takes the bytes over; they are copied once, here.
    public init(_ bytes: [UInt8]) {
        byteCount = bytes.count
        self.bytes = SharedBytes(bytes)
    }

    /// A new answer of the library around the bytes, which it keeps alive as long as it needs them.
    func makeAnswer() -> OpaquePointer? {
        unsafe bytes.makeAnswer()
    }
}
