/// A resource of a hoga server: a path and query parameters.
public struct RemoteTarget: Sendable, Hashable {
    /// The path; its variable parts are escaped already.
    public var path: String
    /// The query parameters, in order.
    public var parameters: [RemoteParameter]
    /// Whether it is a user's own resource, which needs a token.
    public var isPersonal: Bool

    /// Makes a target.
    public init(path: String, parameters: [RemoteParameter] = [], isPersonal: Bool = false) {
        self.path = path
        self.parameters = parameters
        self.isPersonal = isPersonal
    }

    /// Path and query, escaped.
    public var text: String {
        guard !parameters.isEmpty else { return path }
        let pairs = parameters.map { $0.name + "=" + Self.escaped($0.value) }
        return path + "?" + pairs.joined(separator: "&")
    }

    /// Percent-encodes a text for a path or query (RFC 3986, section 2.3).
    public static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ","):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes += [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}

/// A query parameter.
public struct RemoteParameter: Sendable, Hashable {
    /// The name in the HTTP contract.
    public let name: String
    /// The value, not escaped.
    public let value: String

    /// Makes a parameter.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
