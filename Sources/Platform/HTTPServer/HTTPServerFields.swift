/// Encoded header fields, shared by any number of responses.
public final class HTTPServerFields: Sendable {
    /// The fields in their order.
    public let list: [(name: String, value: String)]
    /// `Name: value` lines.
    let bytes: [UInt8]

    /// Encodes fields.
    ///
    /// - Precondition: names are not empty; names and values hold no line break and no zero byte.
    ///   Text from outside must be checked before.
    public init(_ list: [(name: String, value: String)]) {
        self.list = list
        var bytes: [UInt8] = []
        bytes.reserveCapacity(list.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
        for (name, value) in list { Self.append(name, value, to: &bytes) }
        self.bytes = bytes
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: name.utf8)
        let middle = bytes.count
        bytes.append(contentsOf: [UInt8(ascii: ":"), UInt8(ascii: " ")])
        bytes.append(contentsOf: value.utf8)
        precondition(
            middle > start && !bytes[start...].contains { $0 == 13 || $0 == 10 || $0 == 0 },
            "\(name) is not a valid header field"
        )
        bytes.append(contentsOf: [13, 10])
    }
}
