import Foundation
import TestSupport
import Testing

/// A running `hoga serve` of a simulated exchange on free ports.
final class ServiceInstance: Sendable {
    /// A response.
    struct Answer {
        var status: Int
        var fields: [String: String]
        var text: String
        /// The `ETag`.
        var tag: String { fields["etag"] ?? "" }
    }

    private let program: RunningProgram
    private let port: UInt16
    private let adminPort: UInt16

    /// Starts a service with these variables.
    init(_ environment: [String: String]) throws {
        program = try .service(environment: environment)
        let text = try program.line(with: "admin http://")
        let match = try #require(text.firstMatch(of: #/serving http://127\.0\.0\.1:(\d+)/#))
        port = try #require(UInt16(match.1))
        let admin = try #require(text.firstMatch(of: #/admin http://127\.0\.0\.1:(\d+)/#))
        adminPort = try #require(UInt16(admin.1))
    }

    deinit { program.end() }

    /// The state that the instance shows to its administrator.
    func readiness() throws -> Answer {
        try ask("GET", "/readyz", as: nil, at: adminPort)
    }

    /// Sends a request over a new connection; to the service unless a port is given.
    func ask(
        _ method: String,
        _ target: String,
        as token: String?,
        _ fields: KeyValuePairs<String, String> = [:],
        body: String? = nil,
        at other: UInt16? = nil
    ) throws -> Answer {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if let token { text += "Authorization: Bearer \(token)\r\n" }
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        if let body {
            text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        }
        let client = try TCPClient(port: other ?? port)
        try client.send(text + "\r\n" + (body ?? ""))
        let received = String(decoding: try client.receiveAll(), as: UTF8.self)
        let end = try #require(received.range(of: "\r\n\r\n"), "\(received)")
        let lines = received[..<end.lowerBound].components(separatedBy: "\r\n")
        let status = try #require(Int(lines[0].split(separator: " ")[1]))
        let pairs = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
        return Answer(
            status: status,
            fields: Dictionary(pairs) { $0 + "," + $1 },
            text: String(received[end.upperBound...])
        )
    }

    /// Opens an event stream and waits for its first event.
    func stream(_ target: String, as token: String) throws -> TCPClient {
        let client = try TCPClient(port: port)
        try client.send(
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n"
        )
        let header = try client.receiveHeader()
        try #require(header.contains(" 200 "), "\(header)")
        _ = try client.receive()
        return client
    }

    /// A sample of `/metrics`; nil without one.
    func metric(_ name: String) throws -> Double? {
        let client = try TCPClient(port: adminPort)
        try client.send(
            "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        let text = String(decoding: try client.receiveAll(), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    /// Sends a request until the answer meets a condition.
    ///
    /// - Returns: that answer, or the last one when the test is cancelled.
    func answer(
        to target: String,
        as token: String,
        where isMet: (Answer) -> Bool
    ) throws -> Answer {
        while true {
            let answer = try ask("GET", target, as: token)
            if isMet(answer) || Task.isCancelled { return answer }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }
}
