import Foundation
import TestSupport
import Testing

/// stunnel adds TLS to the exchange; tinyproxy is the proxy in front of it.
@Suite("TLS and proxies between hoga and the exchange", .ownThread, .timeLimit(.minutes(4)))
struct NetworkTests {
    private let authority: TestCertificateAuthority
    private let exchange: ExchangeProcess

    init() throws {
        authority = try TestCertificateAuthority()
        exchange = try ExchangeProcess()
    }

    /// A flaw of a certificate.
    enum Flaw: String, CaseIterable {
        case wrongName, expired, unknownAuthority

        var words: String {
            switch self {
            case .wrongName: "name"
            case .expired: "expired"
            case .unknownAuthority: "local issuer"
            }
        }
    }

    private func front(_ flaw: Flaw? = nil) throws -> StunnelProxy {
        let issuer = flaw == .unknownAuthority ? try TestCertificateAuthority() : authority
        let identity = try issuer.identity(
            for: flaw == .wrongName ? "DNS:another.test" : "DNS:localhost",
            days: flaw == .expired ? -1 : 2
        )
        // stunnel reads the files before it listens.
        return try StunnelProxy(to: exchange.port, identity: identity)
    }

    private func flags(rest: UInt16, stream: UInt16) -> [String] {
        func scheme(_ port: UInt16) -> String { port == exchange.port ? "" : "s" }
        return [
            "--rest-url", "http\(scheme(rest))://localhost:\(rest)",
            "--ws-url", "ws\(scheme(stream))://localhost:\(stream)/pub/ws",
            "--ca-file", authority.certificateFile,
        ]
    }

    /// Waits until the service is live.
    private func waitUntilLive(_ service: ServiceProcess) throws {
        try waitFor("the feed goes live") {
            let feed = try service.readiness()["feed"] as? [String: Any]
            return feed?["connection"] as? String == "live" ? true : nil
        }
    }

    /// Waits until the list contains an error.
    private func failure(_ service: ServiceProcess) throws -> (code: String, message: String) {
        try waitFor("the list says what is wrong") {
            let document = try service.document("/v1/markets?lang=en")
            let state = document["state"] as? [String: Any]
            let health = state?["health"] as? [String: Any]
            guard let error = health?["error"] as? [String: Any],
                let code = error["code"] as? String, let message = error["message"] as? String
            else { return nil }
            return (code, message)
        }
    }

    @discardableResult
    private func waitFor<Value>(_ what: Comment, _ look: () throws -> Value?) throws -> Value {
        while !Task.isCancelled {
            if let value = try look() { return value }
            Thread.sleep(forTimeInterval: 0.02)
        }
        return try #require(nil as Value?, what)
    }

    @Test("https and wss with a private authority work directly and through a proxy")
    func trusted() async throws {
        let front = try front()
        let proxy = try TinyProxy(in: authority.folder)
        let straight = flags(rest: front.port, stream: front.port)
        for way in [straight, straight + ["--proxy", proxy.url]] {
            let outcome = try HogaProcess.run(["snapshot", "market-list", "--limit", "1"] + way)
            #expect(outcome.status == 0, "\(outcome.errors)")
            try waitUntilLive(try ServiceProcess(way))
        }
        // REST and stream, and nothing of the first round.
        for _ in 0..<2 { #expect(try proxy.nextTunnel() == "localhost:\(front.port)") }
    }

    @Test("the environment's proxy and its exceptions are respected")
    func environment() async throws {
        let front = try front()
        let proxy = try TinyProxy(in: authority.folder)
        let flags = flags(rest: front.port, stream: front.port)
        try waitUntilLive(
            try ServiceProcess(
                flags,
                environment: ["https_proxy": proxy.url, "no_proxy": "a.test"]
            )
        )
        #expect(try proxy.nextTunnel() == "localhost:\(front.port)")
        let unreachable = ["https_proxy": "http://127.0.0.1:1", "no_proxy": "localhost"]
        try waitUntilLive(try ServiceProcess(flags, environment: unreachable))
    }

    @Test(
        "an untrusted certificate is refused by name",
        arguments: Flaw.allCases,
        [false, true]
    )
    func distrust(flaw: Flaw, isProxied: Bool) async throws {
        let front = try front(flaw)
        let proxy = try TinyProxy(in: authority.folder)
        let service = try ServiceProcess(
            flags(rest: front.port, stream: front.port)
                + (isProxied ? ["--proxy", proxy.url] : [])
        )
        let failure = try failure(service)
        #expect(failure.code == "untrusted")
        #expect(failure.message.hasPrefix("인증서를 신뢰할 수 없음"))
        #expect(failure.message.contains(flaw.words), "\(failure.message)")
        #expect(try service.readiness()["ready"] as? Bool != true)
        if isProxied { #expect(try proxy.nextTunnel() == "localhost:\(front.port)") }
    }

    @Test(
        "an untrusted stream is reported although the listing arrived",
        arguments: Flaw.allCases
    )
    func distrustedStream(flaw: Flaw) async throws {
        let front = try front(flaw)
        let service = try ServiceProcess(flags(rest: exchange.port, stream: front.port))
        let failure = try failure(service)
        #expect(failure.code == "reconnecting")
        #expect(failure.message.contains("인증서를 신뢰할 수 없음"))
        #expect(failure.message.contains(flaw.words), "\(failure.message)")
    }

    @Test("a refusing proxy is told apart from an unreachable exchange")
    func refusal() async throws {
        let front = try front()
        let proxy = try TinyProxy(in: authority.folder, tunnelPort: 1)
        let service = try ServiceProcess(
            flags(rest: front.port, stream: front.port) + ["--proxy", proxy.url]
        )
        let failure = try failure(service)
        #expect(failure.code == "proxy")
        #expect(failure.message.hasPrefix("프록시로 연결할 수 없음"))
        #expect(failure.message.contains("403"), "\(failure.message)")
    }

    @Test("an unreachable proxy is told apart from an unreachable exchange")
    func away() async throws {
        let front = try front()
        let url = "http://127.0.0.1:\(LoopbackServer.reservedPort())"
        let service = try ServiceProcess(
            flags(rest: front.port, stream: front.port) + ["--proxy", url]
        )
        let failure = try failure(service)
        #expect(failure.code == "proxy")
        #expect(failure.message.hasPrefix("프록시로 연결할 수 없음"))
    }

    @Test("a single document contains the failure")
    func snapshot() async throws {
        let front = try front(.expired)
        let outcome = try HogaProcess.run(
            ["snapshot", "market-list", "--lang", "en"]
                + flags(rest: front.port, stream: front.port)
        )
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("health.error"))
        #expect(outcome.output.contains("인증서를 신뢰할 수 없음"))
        #expect(outcome.output.contains("expired"))
    }
}
