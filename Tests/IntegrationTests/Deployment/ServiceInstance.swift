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

    /// Starts a service with these variables.
    init(_ environment: [String: String]) throws {
        program = try .service(environment: environment)
        let text = try program.line(with: "admin http://")
        let match = try #require(text.firstMatch(of: #/serving http://127\.0\.0\.1:(\d+)/#))
        port = try #require(UInt16(match.1))
    }

    deinit { program.end() }

    /// Sends a request over a new connection.
    func ask(
        _ method: String,
        _ target: String,
        as token: String?,
        _ fields: KeyValuePairs<String, String> = [:],
        body: String? = nil
    ) throws -> Answer {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if let token { text += "Authorization: Bearer \(token)\r\n" }
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        if let body {
            text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        }
        let client = try TCPClient(port: port)
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
