import Cryptography
import Domain

/// The secret with which hoga signs requests to one webhook.
///
/// The owner sees it once; the store has it encrypted.
struct WebhookSecret: Sendable, Equatable {
    /// The start of the text form, as of Standard Webhooks (standardwebhooks.com).
    static let prefix = "whsec_"

    private static let length = 32

    private let bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Makes an unpredictable secret.
    static func random() -> WebhookSecret {
        WebhookSecret(bytes: Cryptography.randomBytes(count: length))
    }

    /// The text form for the receiver, to be shown once.
    var text: String { Self.prefix + Cryptography.base64(bytes) }

    /// The signature of a message, in Base64.
    func signature(of message: String) -> String {
        Cryptography.base64(Cryptography.hmacSHA256(of: Array(message.utf8), key: bytes))
    }

    /// Encrypts the secret for the store.
    ///
    /// - Parameters:
    ///   - user: the owner by the number in the store; for another one it does not open.
    ///   - keys: the keys.
    /// - Returns: ``NewWebhook/sealedSecret``.
    func sealed(for user: UserID, with keys: WebhookKeys) -> [UInt8] {
        keys.seal(bytes, context: Self.context(of: user))
    }

    /// Decrypts a secret; nil if no key opens it for this owner.
    init?(opening sealed: [UInt8], of user: UserID, with keys: WebhookKeys) {
        guard let bytes = keys.open(sealed, context: Self.context(of: user)),
            bytes.count == Self.length
        else { return nil }
        self.bytes = bytes
    }

    private static func context(of user: UserID) -> [UInt8] {
        Array("webhook of user \(user.number)".utf8)
    }
}

/// Its description holds no byte of it.
extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    var description: String { "WebhookSecret(…)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
