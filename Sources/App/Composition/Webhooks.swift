import DataSourceContracts
import DataSourcesHTTP
import Domain
import UseCases

/// Sends the requests of webhooks: two HTTP transports, the sender that signs, and the keys.
struct Webhooks: Sendable {
    /// The most requests of one instance to one host at once: all of them, because users share
    /// hosts, and slow answers to some must not keep the requests of others waiting.
    private static let connectionsPerHostMax = 2 * WebhookDispatcher.laneMax
    /// The most requests that the transport takes, with room for those that are being cancelled.
    private static let requestsMax = 2 * connectionsPerHostMax

    /// Tries deliveries while ``run()`` runs.
    let sender: SignedWebhookSender

    private let transports: [CurlHTTPTransport]

    /// Makes the sending side; nil if no key is configured, and then there are no webhooks.
    ///
    /// - Throws: ``ProgramError`` `configuration` for an unusable certificate authority file.
    init?(
        _ configuration: Configuration,
        now: @escaping @Sendable () -> Timestamp = SystemSources.now
    ) throws(ProgramError) {
        guard let keys = configuration.webhookKeys else { return nil }
        let rule = WebhookAddressRule(allowed: configuration.webhookAllow)
        let working = try Self.transport(configuration, rule)
        let others = try Self.transport(configuration, rule)
        transports = [working, others]
        sender = SignedWebhookSender(
            transport: working,
            otherTransport: others,
            keys: keys,
            rule: rule,
            language: configuration.language,
            now: now
        )
    }

    private static func transport(
        _ configuration: Configuration,
        _ rule: WebhookAddressRule
    ) throws(ProgramError) -> CurlHTTPTransport {
        do throws(TransportError) {
            return try CurlHTTPTransport(
                userAgent: Markets.userAgent,
                authorityFile: configuration.caFile,
                proxy: .none,
                permits: { rule.permits($0) },
                connectTimeout: SignedWebhookSender.connectTimeout,
                requestsMax: requestsMax,
                connectionsPerHostMax: connectionsPerHostMax
            )
        } catch {
            throw ProgramError(
                .configuration,
                "\(Setting.caFile.environmentName): \(error.detail)"
            )
        }
    }

    /// Performs the requests until the task is cancelled; to be called once.
    func run() async {
        await withTaskGroup { group in
            for transport in transports { group.addTask { await transport.run() } }
        }
    }

    /// Makes a new secret of a webhook.
    ///
    /// - Parameter user: the user by the number in the store, never ``UserID/tokenOwner``.
    /// - Returns: the text form, to be shown once, and the encrypted one for the store.
    func makeSecret(of user: UserID) -> (text: String, sealed: [UInt8]) {
        precondition(user != .tokenOwner, "A secret is sealed for the number in the store.")
        let secret = WebhookSecret.random()
        return (secret.text, secret.sealed(for: user, with: sender.keys))
    }

    /// Why a webhook may not have an address, and what to do; nil if it may.
    func refusal(of url: String) -> String? {
        do throws(WebhookAddressRefusal) {
            try sender.rule.check(url)
            return nil
        } catch {
            return error.description
        }
    }
}
