import Domain
import Foundation
import ViewStates
import Testing

@testable import App

@Suite("hoga serve over HTTP", .ownThread, .timeLimit(.minutes(4)))
struct ServeTests {
    /// A running service of a simulated exchange, on free ports.
    private struct Service {
        let program: RunningProgram
        let address: String
        let admin: String

        init() throws {
            program = try .service()
            // A line of the log names the ports.
            let words = try program.line(with: "admin http://")
                .split(whereSeparator: \.isWhitespace).map(String.init)
            let addresses = words.filter { $0.hasPrefix("http://") }
            address = try #require(addresses.first)
            admin = try #require(addresses.dropFirst().first)
        }

        func get(_ url: String, method: String = "GET") throws -> (Int, Data, String) {
            let curl = [
                "curl", "--silent", "--request", method, "--write-out",
                "\n%{http_code} %{content_type}", url,
            ]
            let text = try RunningProgram(curl, reading: .output).wholeText()
            let newline = try #require(text.lastIndex(of: "\n"))
            let words = text[newline...].dropFirst().split(separator: " ")
            let status = try #require(words.first.flatMap { Int($0) })
            let body = Data(text[..<newline].utf8)
            return (status, body, words.dropFirst().joined(separator: " "))
        }

        /// Waits until the feed is live.
        func live() async throws {
            while !Task.isCancelled {
                let (_, body, _) = try get(admin + "/readyz")
                let readiness = try JSONDecoder().decode(ReadinessDocument.self, from: body)
                if readiness.feed.connection == "live" { return }
                try await Task.sleep(for: .milliseconds(20))
            }
            Issue.record("the feed did not go live")
        }
    }

    @Test("documents, problems, health and readiness are served until SIGTERM")
    func life() async throws {
        let service = try Service()
        defer { service.program.end() }
        try await service.live()

        let (status, body, type) = try service.get(service.address + "/v1/markets?quote=BTC")
        #expect(status == 200)
        #expect(type == "application/json")
        let document = try JSONDecoder().decode(MarketListDocument.self, from: body)
        #expect(document.state.total == 13)
        #expect(document.source.feed == .simulated)

        let problem = try service.get(service.address + "/v1/markets?sort=size")
        #expect(problem.0 == 400)
        #expect(problem.2 == "application/problem+json")
        let decoded = try JSONDecoder().decode(ProblemDocument.self, from: problem.1)
        #expect(decoded.parameter == "sort")

        #expect(try service.get(service.address + "/nothing").0 == 404)
        #expect(try service.get(service.address + "/v1/markets", method: "POST").0 == 405)
        #expect(try service.get(service.admin + "/healthz").0 == 200)
        #expect(try service.get(service.admin + "/readyz").0 == 200)
        // Health and readiness are only served to operators.
        #expect(try service.get(service.address + "/readyz").0 == 404)

        #expect(service.program.end() == 0)
    }
}
