import Foundation
import TestSupport
import Testing

/// Real programs in between: stunnel speaks TLS for the exchange, tinyproxy stands before it.
@Suite("Between hoga and the exchange are TLS and a proxy", .timeLimit(.minutes(30)))
struct NetworkTests {
    private let authority: TestCertificateAuthority
    private let exchange: ExchangeProcess

    init() throws {
        authority = try TestCertificateAuthority()
        exchange = try ExchangeProcess()
    }

    /// What is wrong with a certificate, and what is said about it.
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
        // stunnel has read the files once it listens.
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

    /// Waits until the list says why there are no data.
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
        let deadline = ContinuousClock.now.advanced(by: ConnectedExchange.patience)
        while ContinuousClock.now < deadline {
            if let value = try look() { return value }
        }
        return try #require(nil as Value?, what)
    }

    @Test("https and wss of a private authority work, straight and through a proxy")
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

    @Test("The proxy that the environment names works too, and is left out where it says so")
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
        let nobody = ["https_proxy": "http://127.0.0.1:1", "no_proxy": "localhost"]
        try waitUntilLive(try ServiceProcess(flags, environment: nobody))
    }

    @Test(
        "A certificate that is not to be trusted is refused and named",
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
        "A stream that is not to be trusted is told though the listing came",
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

    @Test("A proxy that refuses is told from an exchange that is away")
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

    @Test("So is a proxy that is away itself")
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

    @Test("One document ends with the failure in it, and says so")
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
