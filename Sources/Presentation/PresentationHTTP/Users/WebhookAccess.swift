public import Domain

/// The webhooks of users: their store, their secrets and the addresses that the operator allows.
public struct WebhookAccess: Sendable {
    /// A secret in both forms.
    public typealias Secret = (text: String, sealed: [UInt8])

    /// Reads and changes webhooks.
    public var repository: any WebhookRepository
    /// Makes a secret of random bytes at each call: `whsec_…` for the user, and encrypted for the
    /// store; nil if the operator has set no key.
    public var makeSecret: (@Sendable (UserID) -> Secret)?
    /// Why an address is refused and what to do, in English; nil for one that is allowed.
    ///
    /// It must return at once.
    public var refusal: @Sendable (String) -> String?

    /// Makes the access to webhooks.
    ///
    /// - Parameters:
    ///   - repository: reads and changes webhooks.
    ///   - makeSecret: makes a secret at each call; nil without a key.
    ///   - refusal: why an address is refused; nil for one that is allowed.
    public init(
        repository: any WebhookRepository,
        makeSecret: (@Sendable (UserID) -> Secret)?,
        refusal: @escaping @Sendable (String) -> String?
    ) {
        self.repository = repository
        self.makeSecret = makeSecret
        self.refusal = refusal
    }
}
