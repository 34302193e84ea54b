import DataSourceContracts
import DataSourcesHTTP
import Domain

/// The sending side of webhooks: a transport of their own, and what signs and encrypts.
struct Webhooks: Sendable {
    /// Requests of one instance at once, and to one receiver: many users may share one.
    private static let (requestsMax, connectionsPerHostMax) = (512, 32)

    /// Tries deliveries while ``run()`` runs.
    let sender: SignedWebhookSender

    private let transport: CurlHTTPTransport

    /// Makes the sending side; nil if no key is configured, and then there are no webhooks.
    ///
    /// - Throws: ``ProgramError`` `configuration` for an unusable certificate authority file.
    init?(
        _ configuration: Configuration,
        now: @escaping @Sendable () -> Timestamp = SystemSources.now
    ) throws(ProgramError) {
        guard let keys = configuration.webhookKeys else { return nil }
        let rule = WebhookAddressRule(allowed: configuration.webhookAllow)
        do throws(TransportError) {
            transport = try CurlHTTPTransport(
                userAgent: Markets.userAgent,
                authorityFile: configuration.caFile,
                proxy: .none,
                permits: { rule.permits($0) },
                connectTimeout: SignedWebhookSender.connectTimeout,
                requestsMax: Self.requestsMax,
                connectionsPerHostMax: Self.connectionsPerHostMax
            )
        } catch {
            throw ProgramError(
                .configuration,
                "\(Setting.caFile.environmentName): \(error.detail)"
            )
        }
        sender = SignedWebhookSender(
            transport: transport,
            keys: keys,
            rule: rule,
            language: configuration.language,
            now: now
        )
    }

    /// Performs the requests until the task is cancelled; to be called once.
    func run() async { await transport.run() }

    /// Makes a webhook with a new secret for the store.
    ///
    /// - Parameters:
    ///   - url: the address that the user sets.
    ///   - user: the user by the number in the store, never ``UserID/tokenOwner``.
    ///   - at: the local wall clock.
    /// - Returns: the webhook, and the secret in text form to be shown once.
    /// - Throws: ``WebhookAddressRefusal``.
    func new(
        url: String,
        of user: UserID,
        at: Timestamp
    ) throws(WebhookAddressRefusal) -> (webhook: NewWebhook, secret: String) {
        precondition(user != .tokenOwner, "A secret is sealed for the number in the store.")
        try sender.rule.check(url)
        let secret = WebhookSecret.random()
        let sealed = secret.sealed(for: user, with: sender.keys)
        return (NewWebhook(url: url, sealedSecret: sealed, at: at), secret.text)
    }
}
