import DataSourceContracts
import Domain

/// Sends alerts as signed HTTPS requests in the form of Standard Webhooks.
///
/// The receiver verifies `webhook-signature` over `webhook-id`, `webhook-timestamp` and the body,
/// and drops an id that it has seen. Source: standardwebhooks.com.
struct SignedWebhookSender: WebhookSender {
    /// The longest that connecting and TLS may take.
    static let connectTimeout = Duration.seconds(3)
    /// The longest that a request may take, unless a test sets another time.
    static let timeLimit = Duration.seconds(10)
    /// The longest accepted answer, which is dropped.
    static let answerBytesMax = 64 << 10

    /// Sends the requests to receivers that work; permits only the addresses of `rule`.
    let transport: any HTTPTransport
    /// Sends all others, so that their handshakes and time-outs hold up no working receiver.
    let otherTransport: any HTTPTransport
    /// The keys that decrypt the secrets of webhooks.
    let keys: WebhookKeys
    /// The addresses that webhooks may have now, which may be fewer than when they were set.
    let rule: WebhookAddressRule
    /// The language of the sentence about an alert.
    let language: Language
    /// The local wall clock.
    let now: @Sendable () -> Timestamp
    /// The longest that a request may take.
    var timeout = Self.timeLimit

    func send(_ delivery: WebhookDelivery, on lane: WebhookLane) async -> WebhookResult {
        guard let alert = delivery.alert else {
            return .failed(
                "this version of hoga cannot read the alert; update hoga",
                retryAfter: nil
            )
        }
        guard
            let secret = WebhookSecret(
                opening: delivery.sealedSecret,
                of: delivery.user,
                with: keys
            )
        else {
            return .failed(
                "no key of the service opens the webhook's secret; set the webhook again",
                retryAfter: nil
            )
        }
        do throws(WebhookAddressRefusal) {
            try rule.check(delivery.url)
        } catch {
            return .failed(error.description, retryAfter: nil)
        }
        do throws(TransportError) {
            let transport = lane == .working ? transport : otherTransport
            return result(try await transport.send(request(delivery, alert, secret)))
        } catch {
            return Self.reason(error.code).map { .failed($0, retryAfter: nil) } ?? .unsent
        }
    }

    private func request(
        _ delivery: WebhookDelivery,
        _ alert: LoggedAlert,
        _ secret: WebhookSecret
    ) -> HTTPRequest {
        let id = "alert-\(delivery.number)"
        let time = String(now().second)
        let body = String(decoding: AlertJSON.object(of: alert, language), as: UTF8.self)
        var request = HTTPRequest(
            url: delivery.url,
            timeout: timeout,
            bodyBytesMax: Self.answerBytesMax
        )
        request.method = .post
        request.headers = [
            HTTPField("Content-Type", "application/json"),
            HTTPField("webhook-id", id),
            HTTPField("webhook-timestamp", time),
            HTTPField("webhook-signature", "v1," + secret.signature(of: "\(id).\(time).\(body)")),
        ].compactMap(\.self)
        request.body = body
        return request
    }

    /// Evaluates the answer.
    private func result(_ response: HTTPResponse) -> WebhookResult {
        let status = response.status
        let asked = [429, 503].contains(status) ? response.headers["retry-after"] : nil
        return switch status {
        case 200..<300: .accepted
        case 300..<400:
            .failed(
                "redirects are not followed (\(status)); set the address that it leads to",
                retryAfter: nil
            )
        default:
            .failed("the receiver answered with status \(status)", retryAfter: asked.flatMap(wait))
        }
    }

    /// The wait that `Retry-After` asks for, in seconds or until a date; nil for another text.
    private func wait(_ text: String) -> Duration? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let seconds =
            isNumber
            ? Int64(text) ?? .max
            : HTTPDate.seconds(text).map { $0 - now().second }
        return seconds.map { .seconds(min(max($0, 0), WebhookRetry.longest.components.seconds)) }
    }

    /// The reason of a failure for the user; nil if this process failed.
    ///
    /// Omits libcurl's message: it may contain the URL, which may hold a secret, or the address of
    /// an internal host.
    private static func reason(_ code: TransportError.Code) -> String? {
        switch code {
        case .badAddress: "the address is invalid; set another one"
        case .forbiddenAddress:
            "the host has no public address; use another one, or ask the operator to allow it "
                + "with \(Setting.webhookAllow.flag)"
        case .nameNotResolved: "the host was not found; check its name"
        case .cannotConnect, .proxy: "cannot connect; check that the receiver runs with TLS"
        case .untrusted: "the receiver's certificate is not trusted; check its name and issuer"
        case .timedOut: "no whole answer within \(timeLimit.components.seconds) s"
        case .closed: "the receiver closed the connection without an answer"
        case .upgradeRefused, .protocolViolation: "the answer is not HTTP"
        case .tooLarge: "the answer is too large; send at most \(answerBytesMax) bytes"
        case .cancelled, .other: nil
        }
    }
}
