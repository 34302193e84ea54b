import Cryptography
import DataSourceContracts
import Domain
import NetworkAddresses
import Synchronization
import TestSupport
import Testing

@testable import App

@Suite("Webhook requests are signed, and answers evaluated", .tags(.threads))
struct SignedWebhookSenderTests {
    private static let user = UserID(7)
    private static let url = "https://example.org/hook/t0ken?key=t0ken"

    private let keys: WebhookKeys
    private let secret = WebhookSecret.random()

    init() throws {
        keys = try WebhookKeys(parsing: Cryptography.base64([UInt8](repeating: 1, count: 32)))
    }

    private func sender(_ transport: any HTTPTransport) -> SignedWebhookSender {
        SignedWebhookSender(
            transport: transport,
            otherTransport: transport,
            keys: keys,
            rule: WebhookAddressRule(allowed: []),
            language: .korean,
            now: { .noon(60) }
        )
    }

    private func delivery(
        _ number: Int64 = 5,
        alert: LoggedAlert? = .sample(5),
        url: String = url,
        user: UserID = user
    ) -> WebhookDelivery {
        WebhookDelivery(
            user: user,
            number: number,
            alert: alert,
            storedAt: .noon(),
            url: url,
            createdAt: .noon(),
            sealedSecret: secret.sealed(for: Self.user, with: keys)
        )
    }

    @Test("a request has the alert as JSON and the headers of Standard Webhooks")
    func request() async throws {
        let server = InMemoryHTTPServer(status: 204, body: "")
        #expect(await sender(server).send(delivery(), on: .working) == .accepted)
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1 && request.method == .post)
        #expect(request.url == Self.url)
        #expect(request.timeout == .seconds(10) && request.bodyBytesMax == 65_536)
        #expect(request.body + "\n" == text(AlertJSON.bytes(of: .sample(5), .korean)))
        let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
        let time = String(Timestamp.noon(60).second)
        let signed = "alert-5.\(time).\(request.body)"
        #expect(
            headers == [
                "Content-Type": "application/json", "webhook-id": "alert-5",
                "webhook-timestamp": time,
                "webhook-signature": "v1," + secret.signature(of: signed),
            ]
        )
    }

    @Test(
        "a status accepts the alert or says why not, and how long to wait",
        arguments: [
            (200, nil, nil, nil), (201, nil, nil, nil), (299, "5", nil, nil),
            (301, nil, "redirects are not followed (301)", nil),
            (302, "5", "redirects are not followed (302)", nil),
            (308, nil, "redirects are not followed (308)", nil),
            (400, "5", "status 400", nil), (404, nil, "status 404", nil),
            (410, nil, "status 410", nil), (429, nil, "status 429", nil),
            (429, "5", "status 429", .seconds(5)), (503, "0", "status 503", .zero),
            (500, "5", "status 500", nil), (503, "soon", "status 503", nil),
            (503, "-5", "status 503", nil), (503, "1.5", "status 503", nil),
            (503, "", "status 503", nil),
            (429, "99999999999999999999999", "status 429", .seconds(3_600)),
            (429, "86400", "status 429", .seconds(3_600)),
            (503, "Fri, 20 Nov 2026 03:02:00 GMT", "status 503", .seconds(60)),
            (503, "Fri, 20 Nov 2026 03:00:00 GMT", "status 503", .zero),
        ] as [(Int, String?, String?, Duration?)]
    )
    func statuses(status: Int, header: String?, reason: String?, wait: Duration?) async {
        let headers = header.map { ["retry-after": $0] } ?? [:]
        let server = InMemoryHTTPServer(status: status, headers: headers, body: "no")
        switch await sender(server).send(delivery(), on: .working) {
        case .unsent: Issue.record("the request was sent")
        case .accepted: #expect(reason == nil)
        case .failed(let found, let retryAfter):
            #expect(reason.map { found.contains($0) } == true, "\(found)")
            #expect(retryAfter == wait)
        }
    }

    @Test(
        "a failed request has a short reason without the address and the library's text",
        arguments: [
            (.badAddress, "invalid"), (.forbiddenAddress, "--webhook-allow"),
            (.nameNotResolved, "not found"), (.cannotConnect, "cannot connect"),
            (.untrusted, "certificate"), (.timedOut, "within 10 s"),
            (.closed(code: nil, reason: "t0ken"), "closed"), (.protocolViolation, "not HTTP"),
            (.tooLarge, "65536"),
        ] as [(TransportError.Code, String)]
    )
    func failures(code: TransportError.Code, words: String) async {
        let server = InMemoryHTTPServer { _ throws(TransportError) in
            throw TransportError(code, "t0ken at 10.0.0.1")
        }
        guard case .failed(let reason, nil) = await sender(server).send(delivery(), on: .working)
        else {
            Issue.record("the request succeeded")
            return
        }
        #expect(reason.contains(words), "\(reason)")
        #expect(!reason.contains("t0ken") && !reason.contains("10.0.0.1"))
        #expect(reason.utf8.count <= WebhookFailure.reasonBytesMax)
    }

    @Test("a request that this process could not send tells nothing of the receiver")
    func unsent() async {
        for code in [TransportError.Code.cancelled, .other] {
            let server = InMemoryHTTPServer { _ throws(TransportError) in
                throw TransportError(code, "no memory")
            }
            for lane in WebhookLane.allCases {
                #expect(await sender(server).send(delivery(), on: lane) == .unsent)
            }
        }
    }

    @Test("an unreadable alert, a secret that no key opens and a private address are not sent")
    func unsendable() async throws {
        let server = InMemoryHTTPServer(body: "")
        let sender = sender(server)
        for (delivery, words) in [
            (delivery(alert: nil), "update hoga"), (delivery(user: UserID(8)), "set the webhook"),
            (delivery(url: "https://0x7f.1/t0ken"), "127.0.0.1 is not a public address"),
            (delivery(url: "http://example.org/t0ken"), "https://"),
        ] {
            guard case .failed(let reason, nil) = await sender.send(delivery, on: .working) else {
                Issue.record("the alert was sent")
                continue
            }
            #expect(reason.contains(words) && !reason.contains("t0ken"), "\(reason)")
            #expect(reason.utf8.count <= WebhookFailure.reasonBytesMax)
        }
        #expect(server.requests.isEmpty)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
