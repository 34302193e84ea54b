/// Bytes that any number of answers share, on any number of connections, without a copy of them.
public final class HTTPServerBody: Sendable {
    /// How many bytes they are.
    public var byteCount: Int { bytes.count }

    let bytes: [UInt8]

    /// Takes the bytes over.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}
