import HTTPServer
import NetworkAddresses
import TestSupport

/// A handler behind a server on a free local port, and a client.
final class ServerFixture {
    private let server: HTTPServer
    private let client: TCPClient

    init(
        rejection: @escaping @Sendable (HTTPServerRejection, NetworkAddress) -> HTTPServerResponse =
            HTTPServerRejection.plain,
        _ handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) throws {
        let configuration = HTTPServer.Configuration(
            host: "127.0.0.1",
            port: 0,
            threads: 2,
            connectionsMax: 64,
            connectionsPerClientMax: 64,
            idleTimeoutSeconds: 3_600,
            sentBytesPerSecondMin: 16_384,
            requestSecondsMax: 3_600,
            headerBytesMax: 8_192,
            bodyBytesMax: 1_024,
            stopSecondsMax: 5
        )
        server = try HTTPServer(configuration, rejection: rejection, handler: handler)
        client = try TCPClient(port: server.port)
    }

    deinit { server.stop() }

    /// The port, for further clients.
    var port: UInt16 { server.port }

    /// Sends a request on the fixture's connection.
    func ask(
        _ method: String = "GET",
        _ target: String,
        fields: KeyValuePairs<String, String> = [:]
    ) throws -> HTTPAnswer {
        let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        try client.send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n")
        let head = HTTPAnswer(header: try client.receiveHeader(), body: [])
        // A 304 has no body.
        guard method != "HEAD", head.status != 304, let length = head.fields["content-length"],
            let count = Int(length)
        else { return head }
        return HTTPAnswer(head, body: try client.receive(count: count))
    }

    /// Sends a GET with query parameters in their order.
    func ask(
        _ path: String,
        _ parameters: KeyValuePairs<String, String>
    ) throws -> HTTPAnswer {
        let query = parameters.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }
        return try ask("GET", path + "?" + query.joined(separator: "&"))
    }

    /// Percent-encodes everything except letters.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && scalar.properties.isAlphabetic
            let digits = String(byte, radix: 16)
            return isPlain ? String(scalar) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}

/// Not shared between tests.
@available(*, unavailable)
extension ServerFixture: Sendable {}

/// A received response.
struct HTTPAnswer {
    /// The HTTP status.
    let status: Int
    /// The header fields by their names in lower case.
    let fields: [String: String]
    /// The body.
    let body: [UInt8]

    init(_ answer: (header: String, body: [UInt8])) {
        self.init(header: answer.header, body: answer.body)
    }

    init(header: String, body: [UInt8]) {
        let lines = header.split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        let pairs = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), String(parts[1].drop { $0 == " " }))
        }
        fields = Dictionary(pairs) { $0 + "|" + $1 }
        self.body = body
    }

    /// A response with its body.
    init(_ head: HTTPAnswer, body: [UInt8]) {
        status = head.status
        fields = head.fields
        self.body = body
    }

    /// The body as JSON.
    var json: OrderedJSON {
        get throws { try OrderedJSON(body) }
    }
}
