import Cryptography

/// The keys that encrypt the secrets of webhooks in the store (`HOGA_WEBHOOK_KEY_FILE`).
///
/// The first key encrypts, all decrypt. docs/deployment.md has the steps of a rotation.
struct WebhookKeys: Sendable, Equatable {
    /// Why a text holds no keys.
    struct ParseError: Error, Equatable {
        /// The number of the line, from 1.
        let line: Int

        /// The fault and its remedy, without the content of the line.
        var detail: String {
            "line \(line) is not the Base64 of \(Cryptography.keyLength) bytes; make a key with: "
                + "openssl rand -base64 \(Cryptography.keyLength)"
        }
    }

    /// Encrypted bytes: the format (1 byte), the name of the key (4), and those of
    /// ``Cryptography/seal(_:key:context:)``.
    private static let format: UInt8 = 1
    private static let nameLength = 4

    private let keys: [[UInt8]]

    /// Reads keys in Base64, one a line; empty lines do not count.
    init(parsing text: String) throws(ParseError) {
        var keys: [[UInt8]] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            var digits = line
            while digits.first?.isWhitespace == true { digits.removeFirst() }
            while digits.last?.isWhitespace == true { digits.removeLast() }
            if digits.isEmpty { continue }
            guard let key = Cryptography.bytes(base64: String(digits)),
                key.count == Cryptography.keyLength
            else { throw ParseError(line: index + 1) }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw ParseError(line: 1) }
        self.keys = keys
    }

    /// Encrypts bytes with the first key.
    ///
    /// - Parameters:
    ///   - bytes: the secret.
    ///   - context: bytes without which the result does not open, such as its owner.
    /// - Returns: the encrypted bytes, which name the key.
    func seal(_ bytes: [UInt8], context: [UInt8]) -> [UInt8] {
        let head = [Self.format] + Self.name(of: keys[0])
        return head + Cryptography.seal(bytes, key: keys[0], context: head + context)
    }

    /// Decrypts what ``seal(_:context:)`` encrypted with any of the keys; nil if none opens it.
    func open(_ sealed: [UInt8], context: [UInt8]) -> [UInt8]? {
        let headLength = 1 + Self.nameLength
        guard sealed.count > headLength, sealed[0] == Self.format else { return nil }
        let head = Array(sealed[..<headLength])
        for key in keys where Self.name(of: key) == Array(head[1...]) {
            let rest = Array(sealed[headLength...])
            if let bytes = Cryptography.open(rest, key: key, context: head + context) {
                return bytes
            }
        }
        return nil
    }

    private static func name(of key: [UInt8]) -> [UInt8] {
        Array(Cryptography.sha256(Array("hoga webhook key".utf8) + key).prefix(nameLength))
    }
}

/// Its description holds no key.
extension WebhookKeys: CustomStringConvertible, CustomReflectable {
    var description: String { "WebhookKeys(…)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
