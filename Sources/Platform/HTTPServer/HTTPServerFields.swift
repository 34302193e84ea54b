/// Fields that many answers share, put into their form once.
public final class HTTPServerFields: Sendable {
    /// The fields in their order.
    public let list: [(name: String, value: String)]
    /// The same as they are sent.
    let bytes: [UInt8]

    /// Makes fields.
    ///
    /// - Precondition: names are tokens and values hold no line break or zero byte, so text from
    ///   outside must not get into them unchecked.
    public init(_ list: [(name: String, value: String)]) {
        self.list = list
        bytes = Self.bytes(of: list)
    }

    static func bytes(of list: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(list.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
        for (name, value) in list { append(name, value, to: &bytes) }
        return bytes
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: name.utf8)
        let middle = bytes.count
        bytes.append(contentsOf: [UInt8(ascii: ":"), UInt8(ascii: " ")])
        bytes.append(contentsOf: value.utf8)
        precondition(
            middle > start && !bytes[start...].contains(where: isBreaking),
            "\(name) is no header that an answer may have"
        )
        bytes.append(contentsOf: [13, 10])
    }

    /// What would end a line, or a text.
    private static func isBreaking(_ byte: UInt8) -> Bool { byte == 13 || byte == 10 || byte == 0 }
}
