import CCrypto

/// Hashes and randomness of libcrypto, as values in and values out.
///
/// Every function here may be called from any thread.
public enum Cryptography: Sendable {
    /// Hashes with SHA-1: only for the WebSocket accept value, never where an attacker gains from
    /// a collision.
    ///
    /// - Returns: 20 bytes. Source: FIPS 180-4.
    public static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        unsafe digest(of: bytes, by: EVP_sha1(), byteCount: 20)
    }

    /// Hashes with SHA-256.
    ///
    /// - Returns: 32 bytes. Source: FIPS 180-4.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        unsafe digest(of: bytes, by: EVP_sha256(), byteCount: 32)
    }

    /// Makes bytes that nobody can predict, for keys, masks and tokens.
    ///
    /// A system without randomness is a broken invariant: the program stops rather than go on with
    /// guessable keys.
    public static func randomBytes(count: Int) -> [UInt8] {
        precondition(count >= 0, "A count of random bytes cannot be negative.")
        // The array has room for `count` bytes and libcrypto keeps no pointer to it.
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            let status = unsafe RAND_bytes(buffer.baseAddress, Int32(count))
            precondition(count == 0 || status == 1, "The system gives no randomness.")
            written = count
        }
    }

    /// Makes one unpredictable 32-bit number: a WebSocket masking key.
    public static func randomUInt32() -> UInt32 {
        randomBytes(count: 4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Compares secrets in a time that depends on their length alone.
    ///
    /// - Returns: `true` when both have the same bytes; different lengths answer `false` at once.
    public static func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count, !left.isEmpty else { return left.count == right.count }
        // Both buffers hold `left.count` bytes, and libcrypto keeps no pointer to them.
        let difference = unsafe left.withUnsafeBytes { leftBytes in
            unsafe right.withUnsafeBytes { rightBytes in
                unsafe CRYPTO_memcmp(
                    leftBytes.baseAddress,
                    rightBytes.baseAddress,
                    leftBytes.count
                )
            }
        }
        return difference == 0
    }

    /// Runs one whole hash; the algorithms are constants of libcrypto that are never freed.
    private static func digest(
        of bytes: [UInt8],
        by algorithm: OpaquePointer?,
        byteCount: Int
    ) -> [UInt8] {
        // The array has room for the longest digest that libcrypto knows.
        unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, written in
            var length: UInt32 = 0
            let status = unsafe bytes.withUnsafeBytes { input in
                unsafe EVP_Digest(
                    input.baseAddress,
                    input.count,
                    output.baseAddress,
                    &length,
                    algorithm,
                    nil
                )
            }
            precondition(
                status == 1 && length == byteCount,
                "libcrypto lacks a required hash function."
            )
            written = byteCount
        }
    }
}
