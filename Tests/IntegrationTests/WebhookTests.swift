import Cryptography
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Webhooks of a running service", .ownThread, .timeLimit(.minutes(4)))
struct WebhookTests {
    private let folder = NSTemporaryDirectory() + "hoga-webhooks-\(UUID().uuidString)"

    /// Takes seconds, because a receiver that fails rests for up to five.
    @Test("a receiver gets each alert, signed, and again after it refused it")
    func delivery() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let authority = try TestCertificateAuthority()
        let received = Mutex<[(head: String, body: String)]>([])
        // The receiver refuses the first request.
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            while true {
                let request = try connection.receiveRequest()
                let isFirst = received.withLock { requests in
                    requests.append(request)
                    return requests.count == 1
                }
                let status = isFirst ? "500 No" : "204 No Content"
                try connection.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let front = try TLSProxy(
            to: server.port,
            identity: try authority.identity(for: "IP:127.0.0.1")
        )
        let environment = [
            "XDG_DATA_HOME": folder, "HOGA_SIMULATOR_KRW_MARKETS": "4",
            "HOGA_SIMULATOR_RATE": "400",
            "HOGA_CA_FILE": authority.certificateFile,
            "HOGA_WEBHOOK_KEY": Cryptography.base64(Cryptography.randomBytes(count: 32)),
            "HOGA_WEBHOOK_ALLOW": "127.0.0.0/8",
        ]
        let made = try HogaProcess.run(["user", "token", "new", "local"], environment: environment)
        let token = made.output.trimmingCharacters(in: .newlines)
        let service = try ServiceInstance(environment)
        let body = #"{"url":"https://127.0.0.1:\#(front.port)/hoga"}"#
        let answer = try service.ask("PUT", "/v1/me/webhook", as: token, body: body)
        #expect(answer.status == 201, "\(answer.text)")
        let secret = try #require(answer.text.firstMatch(of: #/"secret":"whsec_([^"]+)"/#)).1
        let price = try service.bitcoinPrice(as: token)
        try service.addCrossingRules(around: price, as: token)

        let requests = try await eventually { () -> [(head: String, body: String)]? in
            let requests = received.withLock(\.self)
            let first = requests.first.map { Self.field("webhook-id", $0.head) }
            return requests.dropFirst().contains { Self.field("webhook-id", $0.head) == first }
                ? requests : nil
        }
        for request in requests {
            let signed = ["webhook-id", "webhook-timestamp"]
                .map { Self.field($0, request.head) + "." }.joined()
            let signature = Cryptography.hmacSHA256(
                of: Array((signed + request.body).utf8),
                key: try #require(Cryptography.bytes(base64: String(secret)))
            )
            #expect(
                Self.field("webhook-signature", request.head)
                    == "v1," + Cryptography.base64(signature)
            )
            #expect(request.body.contains(#""market":"BTC_KRW","feed":"simulated""#))
        }
        let state = try await eventually { () throws -> String? in
            let text = try service.ask("GET", "/v1/me/webhook", as: token).text
            return text.contains(#""lastSuccessAt":"2"#) ? text : nil
        }
        #expect(state.contains("the receiver answered with status 500"))
        #expect(!state.contains("whsec_"))
        #expect(try service.ask("DELETE", "/v1/me/webhook", as: token).status == 204)
    }

    private static func field(_ name: String, _ head: String) -> String {
        head.components(separatedBy: "\r\n")
            .first { $0.lowercased().hasPrefix(name + ":") }
            .map { String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces) } ?? ""
    }
}
