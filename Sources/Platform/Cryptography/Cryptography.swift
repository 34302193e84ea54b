import CCrypto
import HeapMemory

/// Hashes, encryption and random bytes of libcrypto.
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

    /// Makes unpredictable bytes for keys, masks and tokens.
    ///
    /// Ends the program without randomness, because keys would be guessable.
    public static func randomBytes(count: Int) -> [UInt8] {
        precondition(count >= 0, "A count of random bytes cannot be negative.")
        // Safe: the array holds `count` bytes, and libcrypto keeps no pointer to it.
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            let status = unsafe RAND_bytes(buffer.baseAddress, Int32(count))
            // The kernel always has random bytes; the generator's state may lack memory.
            if count > 0, status != 1 { HeapMemory.endForShortage() }
            written = count
        }
    }

    /// Makes one unpredictable 32-bit number: a WebSocket masking key.
    public static func randomUInt32() -> UInt32 {
        randomBytes(count: 4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Compares secrets in a time that depends on their length alone.
    ///
    /// - Returns: whether both hold the same bytes; false at once for different lengths.
    public static func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count, !left.isEmpty else { return left.count == right.count }
        // Safe: both buffers hold `left.count` bytes, and libcrypto keeps no pointer to them.
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
        // Safe: the array holds the longest digest of libcrypto.
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
            if status != 1 { HeapMemory.endForShortage() }
            precondition(length == byteCount, "libcrypto lacks a required hash function.")
            written = byteCount
        }
    }
}

extension Cryptography {
    /// Writes bytes in Base64 with padding, without line breaks.
    ///
    /// Source: RFC 4648, section 4.
    public static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let present = min(3, bytes.count - start)
            var group = UInt32(bytes[start]) << 16
            if present > 1 { group |= UInt32(bytes[start + 1]) << 8 }
            if present > 2 { group |= UInt32(bytes[start + 2]) }
            // n bytes fill n + 1 digits; padding takes the rest of the four.
            for digit in 0..<4 {
                let index = Int(group >> (18 - 6 * UInt32(digit)) & 0x3f)
                text.append(digit <= present ? base64Digits[index] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads Base64 with padding; nil for any other text.
    ///
    /// Strict, so that bytes have one text alone: no white space, no missing padding, no bits in
    /// the last digit that belong to no byte. Source: RFC 4648, sections 3.5 and 4.
    public static func bytes(base64 text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        for start in stride(from: 0, to: digits.count, by: 4) {
            let isLast = start + 4 == digits.count
            let padding =
                isLast ? digits.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count : 0
            var group: UInt32 = 0
            for digit in digits[start..<(start + 4 - padding)] {
                guard let value = base64Digits.firstIndex(of: digit) else { return nil }
                group = group << 6 | UInt32(value)
            }
            group <<= 6 * UInt32(padding)
            let all = [UInt8(group >> 16), UInt8(group >> 8 & 0xff), UInt8(group & 0xff)]
            guard all.suffix(padding).allSatisfy({ $0 == 0 }) else { return nil }
            bytes += all.prefix(3 - padding)
        }
        return bytes
    }

    /// The digit for each value from 0 to 63.
    private static let base64Digits = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
}
