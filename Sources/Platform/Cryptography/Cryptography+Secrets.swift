import CCrypto
import HeapMemory

/// Codes and encryption with a secret key.
extension Cryptography {
    /// Authenticates a message with HMAC and SHA-256.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - key: the secret key, of any length.
    /// - Returns: 32 bytes. Source: RFC 2104.
    public static func hmacSHA256(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        // Safe: the array holds the longest digest, and libcrypto keeps no pointer.
        unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, written in
            var length: UInt32 = 0
            let result = unsafe message.withUnsafeBytes { message in
                unsafe key.withUnsafeBytes { key in
                    unsafe HMAC(
                        EVP_sha256(),
                        key.baseAddress,
                        Int32(key.count),
                        message.assumingMemoryBound(to: UInt8.self).baseAddress,
                        message.count,
                        output.baseAddress,
                        &length
                    )
                }
            }
            if unsafe result == nil { HeapMemory.endForShortage() }
            precondition(length == 32, "libcrypto lacks a required hash function.")
            written = 32
        }
    }

    /// Encrypts bytes with AES-256-GCM and a random nonce.
    ///
    /// A key is safe for 2^32 messages (NIST SP 800-38D, 8.3).
    ///
    /// - Parameters:
    ///   - bytes: the secret.
    ///   - key: 32 bytes.
    ///   - context: bytes that are not part of the result, but without which it does not open.
    /// - Returns: nonce (12 bytes), the encrypted bytes and tag (16 bytes).
    public static func seal(_ bytes: [UInt8], key: [UInt8], context: [UInt8]) -> [UInt8] {
        let nonce = randomBytes(count: nonceLength)
        let cipher = Cipher(isEncrypting: true, key: key, nonce: nonce)
        cipher.authenticate(context)
        let encrypted = cipher.update(bytes)
        if !cipher.finish() { HeapMemory.endForShortage() }
        return nonce + encrypted + cipher.tag()
    }

    /// Decrypts what ``seal(_:key:context:)`` encrypted.
    ///
    /// - Returns: the secret; nil if a byte was changed, or for another key or context.
    public static func open(_ sealed: [UInt8], key: [UInt8], context: [UInt8]) -> [UInt8]? {
        guard sealed.count >= nonceLength + tagLength else { return nil }
        let nonce = Array(sealed[..<nonceLength])
        let cipher = Cipher(isEncrypting: false, key: key, nonce: nonce)
        cipher.authenticate(context)
        let bytes = cipher.update(Array(sealed[nonceLength..<(sealed.count - tagLength)]))
        cipher.expect(tag: Array(sealed[(sealed.count - tagLength)...]))
        return cipher.finish() ? bytes : nil
    }

    /// The length of a key of ``seal(_:key:context:)``, in bytes.
    public static let keyLength = 32
    static let nonceLength = 12
    static let tagLength = 16
}

/// Owns a libcrypto context of AES-256-GCM for one message.
@safe
private struct Cipher: ~Copyable {
    // Freed in `deinit`, which also clears the key.
    private let pointer: OpaquePointer

    /// Begins a message.
    init(isEncrypting: Bool, key: [UInt8], nonce: [UInt8]) {
        precondition(key.count == Cryptography.keyLength, "A key has 32 bytes.")
        precondition(nonce.count == Cryptography.nonceLength, "A nonce has 12 bytes.")
        guard let made = unsafe EVP_CIPHER_CTX_new() else {
            HeapMemory.endForShortage()
        }
        unsafe pointer = made
        // The algorithm is a constant of libcrypto, whose nonces have 12 bytes by default.
        let status = unsafe EVP_CipherInit_ex(
            made,
            EVP_aes_256_gcm(),
            nil,
            key,
            nonce,
            isEncrypting ? 1 : 0
        )
        if status != 1 { HeapMemory.endForShortage() }
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(pointer)
    }

    /// Adds bytes that are authenticated and not encrypted; before all others.
    func authenticate(_ bytes: [UInt8]) {
        var count: Int32 = 0
        let status = unsafe EVP_CipherUpdate(pointer, nil, &count, bytes, Int32(bytes.count))
        if status != 1 { HeapMemory.endForShortage() }
    }

    /// Encrypts or decrypts all bytes.
    func update(_ bytes: [UInt8]) -> [UInt8] {
        // Safe: a stream cipher writes as many bytes as it reads.
        unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { output, written in
            var count: Int32 = 0
            let status = unsafe EVP_CipherUpdate(
                pointer,
                output.baseAddress,
                &count,
                bytes,
                Int32(bytes.count)
            )
            if !bytes.isEmpty, status != 1 { HeapMemory.endForShortage() }
            written = bytes.count
        }
    }

    /// Sets the tag that a message to decrypt must have.
    func expect(tag: [UInt8]) {
        var tag = tag
        let count = Int32(tag.count)
        // Safe: libcrypto copies the tag.
        let status = unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, count, &tag)
        if status != 1 { HeapMemory.endForShortage() }
    }

    /// Ends the message; false if a message to decrypt does not have its tag.
    func finish() -> Bool {
        // Safe: this cipher has no last block, so nothing is written.
        var (rest, count): ([UInt8], Int32) = ([0], 0)
        return unsafe EVP_CipherFinal_ex(pointer, &rest, &count) == 1
    }

    /// The tag of an encrypted message.
    func tag() -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: Cryptography.tagLength)
        let count = Int32(tag.count)
        // Safe: libcrypto writes as many bytes as the array has.
        let status = unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, count, &tag)
        if status != 1 { HeapMemory.endForShortage() }
        return tag
    }
}
