import Cryptography
import Domain
import Synchronization
import TestSupport
import Testing

@testable import App

@Suite(
    "Webhooks reach a receiver with TLS, and nobody else",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct WebhooksTests {
    private static let user = UserID(7)

    private let authority: TestCertificateAuthority

    init() throws { authority = try TestCertificateAuthority() }

    private func webhooks(allowing ranges: String = "") throws -> Webhooks {
        let configuration = try ConfigurationSources(
            flags: [.webhookAllow: ranges, .caFile: authority.certificateFile],
            environment: [
                "HOGA_WEBHOOK_KEY": Cryptography.base64([UInt8](repeating: 1, count: 32)),
                "https_proxy": "http://127.0.0.1:9",
            ]
        ).resolve()
        return try #require(try Webhooks(configuration))
    }

    private func front(_ server: LoopbackServer) throws -> TLSProxy {
        try TLSProxy(to: server.port, identity: try authority.identity(for: "IP:127.0.0.1"))
    }

    /// The result of one delivery to a server, and its secret.
    private func result(
        _ server: LoopbackServer,
        timeout: Duration = .seconds(3_600)
    ) async throws -> (result: WebhookResult, secret: String) {
        let webhooks = try webhooks(allowing: "127.0.0.0/8")
        let front = try front(server)
        let url = "https://127.0.0.1:\(front.port)/hook?key=t0ken"
        let new = try webhooks.new(url: url, of: Self.user, at: .noon())
        var sender = webhooks.sender
        sender.timeout = timeout
        async let _: Void = webhooks.run()
        return (await sender.send(delivery(of: new.webhook), on: .working), new.secret)
    }

    private func delivery(of webhook: NewWebhook) -> WebhookDelivery {
        WebhookDelivery(
            user: Self.user,
            number: 5,
            alert: .sample(5),
            storedAt: .noon(),
            url: webhook.url,
            createdAt: webhook.at,
            sealedSecret: webhook.sealedSecret
        )
    }

    @Test("without a key there are no webhooks")
    func keyless() throws {
        let configuration = try ConfigurationSources(flags: [:], environment: [:]).resolve()
        #expect(try Webhooks(configuration) == nil)
    }

    @Test("the receiver verifies the signature with the secret that was shown once")
    func accepted() async throws {
        let received = Mutex<[(head: String, body: String)]>([])
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            let request = try connection.receiveRequest()
            received.withLock { $0.append(request) }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.waitForEnd()
        }
        let (result, secret) = try await result(server)
        #expect(result == .accepted)
        let (head, body) = try #require(received.withLock { $0.first })
        let lines = head.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "POST /hook?key=t0ken HTTP/1.1")
        func value(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
        #expect(value("content-type") == "application/json")
        #expect(value("user-agent") == Markets.userAgent)
        #expect(value("cookie") == nil && value("authorization") == nil)
        let id = try #require(value("webhook-id"))
        let time = try #require(value("webhook-timestamp"))
        let key = try #require(Cryptography.bytes(base64: String(secret.dropFirst(6))))
        let code = Cryptography.hmacSHA256(of: Array("\(id).\(time).\(body)".utf8), key: key)
        #expect(value("webhook-signature") == "v1," + Cryptography.base64(code))
        #expect(id == "alert-5" && body.hasPrefix("{") && body.hasSuffix("}"))
    }

    @Test("a redirect is not followed", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let other = LoopbackServer { $0.waitForEnd() }
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            _ = try connection.receiveRequest()
            let location = "https://127.0.0.1:\(other.port)/"
            try connection.send(
                "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
            )
            connection.waitForEnd()
        }
        let result = try await result(server).result
        guard case .failed(let reason, nil) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason.contains("redirects are not followed (\(status))"))
        #expect(other.acceptedCount == 0)
    }

    /// How a receiver never comes to an end.
    enum Endless: CaseIterable {
        case silence, head, interimResponses, trickle, body, statedBody
    }

    @Test("an endless answer is bounded in time or in bytes", arguments: Endless.allCases)
    func endless(kind: Endless) async throws {
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            _ = try connection.receiveRequest()
            switch kind {
            case .silence: connection.waitForEnd()
            case .head:
                let line = "X-More: " + String(repeating: "x", count: 999) + "\r\n"
                try connection.send("HTTP/1.1 200 OK\r\n")
                while true { try connection.send(line) }
            case .interimResponses:
                while true { try connection.send("HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n") }
            case .trickle:
                try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                try connection.send("1\r\nx\r\n")
                connection.waitForEnd()
            case .body:
                try connection.send("HTTP/1.1 200 OK\r\n\r\n")
                while true { try connection.send([UInt8](repeating: 65, count: 999)) }
            case .statedBody:
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
                connection.waitForEnd()
            }
        }
        let isSlow = [.silence, .trickle].contains(kind)
        let timeout = isSlow ? Duration.seconds(1) : .seconds(3_600)
        let result = try await result(server, timeout: timeout).result
        guard case .failed(let reason, nil) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason.contains(isSlow ? "no whole answer" : "too large"), "\(reason)")
    }

    @Test("loopback is reached only if the operator lists it, when it is set and when it is sent")
    func loopback() async throws {
        let server = LoopbackServer { $0.waitForEnd() }
        let url = "https://127.0.0.1:\(server.port)/"
        let (listed, unlisted) = (try webhooks(allowing: "127.0.0.0/8"), try webhooks())
        for webhooks in [unlisted, try self.webhooks(allowing: "10.0.0.0/8,::1")] {
            #expect(throws: WebhookAddressRefusal.notPublic("127.0.0.1")) {
                try webhooks.new(url: url, of: Self.user, at: .noon())
            }
        }
        // The operator took the range back after the webhook was set.
        let new = try listed.new(url: url, of: Self.user, at: .noon()).webhook
        async let _: Void = unlisted.run()
        let result = await unlisted.sender.send(delivery(of: new), on: .working)
        guard case .failed(let reason, nil) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason.contains("not a public address"))
        #expect(server.acceptedCount == 0)
    }

    @Test("the transport refuses a private address by itself, behind a rule that let it pass")
    func transport() async throws {
        let server = LoopbackServer { $0.waitForEnd() }
        let (listed, unlisted) = (try webhooks(allowing: "127.0.0.0/8"), try webhooks())
        let url = "https://127.0.0.1:\(server.port)/"
        let new = try listed.new(url: url, of: Self.user, at: .noon()).webhook
        // A name that leads to another address than at the check.
        let sender = SignedWebhookSender(
            transport: unlisted.sender.transport,
            otherTransport: unlisted.sender.otherTransport,
            keys: listed.sender.keys,
            rule: listed.sender.rule,
            language: .english,
            now: { .noon() }
        )
        async let _: Void = unlisted.run()
        let result = await sender.send(delivery(of: new), on: .working)
        guard case .failed(let reason, nil) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason.contains("the host has no public address"))
        #expect(server.acceptedCount == 0)
    }
}

extension Webhooks {
    /// A webhook with a new secret, as the service sets it.
    fileprivate func new(
        url: String,
        of user: UserID,
        at: Timestamp
    ) throws -> (webhook: NewWebhook, secret: String) {
        try sender.rule.check(url)
        let secret = makeSecret(of: user)
        return (NewWebhook(url: url, sealedSecret: secret.sealed, at: at), secret.text)
    }
}
