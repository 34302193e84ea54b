import Domain
import Foundation
import Presentation
import Testing

@testable import App

@Suite("hoga serve as its consumers see it")
struct ServeTests {
    /// A running service of a simulated exchange, on free ports.
    private struct Service {
        let process: Process
        let address: String
        let admin: String

        init() async throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: HogaProcess.path)
            process.arguments = [
                "serve", "--exchange", "simulated", "--listen", "127.0.0.1:0",
                "--admin-listen", "127.0.0.1:0",
            ]
            process.environment = HogaProcess.environment()
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            self.process = process
            // A line tells the ports that were free; others may come before it.
            var text = ""
            while !(text.contains("admin http://") && text.hasSuffix("\n")) {
                let data = errors.fileHandleForReading.availableData
                try #require(!data.isEmpty, "hoga serve ended: \(text)")
                text += String(decoding: data, as: UTF8.self)
            }
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            let addresses = words.filter { $0.hasPrefix("http://") }
            address = try #require(addresses.first)
            admin = try #require(addresses.dropFirst().first)
        }

        func get(_ url: String, method: String = "GET") throws -> (Int, Data, String) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "curl", "--silent", "--request", method, "--write-out",
                "\n%{http_code} %{content_type}", url,
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let newline = try #require(data.lastIndex(of: UInt8(ascii: "\n")))
            let words = String(decoding: data[(newline + 1)...], as: UTF8.self)
                .split(separator: " ")
            let status = try #require(words.first.flatMap { Int($0) })
            return (status, data[..<newline], words.dropFirst().joined(separator: " "))
        }

        /// Waits until the feed is live.
        func live() async throws {
            let clock = ContinuousClock()
            let deadline = clock.now.advanced(by: FollowedExchange.patience)
            while clock.now < deadline {
                let (_, body, _) = try get(admin + "/readyz")
                let readiness = try JSONDecoder().decode(ReadinessDocument.self, from: body)
                if readiness.feed.connection == "live" { return }
            }
            Issue.record("the feed did not go live")
        }
    }

    @Test("Documents, problems, health and readiness; SIGTERM ends it with 0")
    func life() async throws {
        let service = try await Service()
        defer { service.process.terminate() }
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
        // Health and readiness are nobody's business but the operator's.
        #expect(try service.get(service.address + "/readyz").0 == 404)

        service.process.terminate()
        service.process.waitUntilExit()
        #expect(service.process.terminationReason == .exit)
        #expect(service.process.terminationStatus == 0)
    }
}
