import Cryptography
import TestSupport
import Testing

@Suite("Cryptography gives the published hashes, plain Base64 and fresh randomness")
struct CryptographyTests {
    @Test(
        "SHA-1 gives the published hashes",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
        ]
    )
    func sha1(text: String, hex: String) {
        #expect(hexText(Cryptography.sha1(Array(text.utf8))) == hex)
    }

    @Test(
        "SHA-256 gives the published hashes",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func sha256(text: String, hex: String) {
        #expect(hexText(Cryptography.sha256(Array(text.utf8))) == hex)
    }

    @Test(
        "Base64 encodes the examples of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ]
    )
    func base64(text: String, encoded: String) {
        #expect(Cryptography.base64(Array(text.utf8)) == encoded)
    }

    @Test("Base64 uses all sixty-four digits in order")
    func base64Digits() {
        // Sixty-four digits of six bits each, counting up, are these forty-eight bytes.
        var bits: [Bool] = []
        for value in 0..<64 {
            for bit in (0..<6).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        #expect(
            Cryptography.base64(bytes)
                == "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        )
    }

    @Test("Base64 decodes what it encodes, and each text is that of its bytes alone")
    func base64Decoding() {
        var random = SeededGenerator(seed: 64)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Cryptography.bytes(base64: Cryptography.base64(bytes)) == bytes)
        }
        for text in [
            "Z", "Zg", "Zg=", "Zg==\n", " Zg==", "Zg= =", "Zh==", "Zm9=", "Zm9v====", "====",
            "Zg==Zg==", "Z===", "=Zg=", "Zm-v", "Zm_v", "Zm9vé",
        ] {
            #expect(Cryptography.bytes(base64: text) == nil, "\(text)")
        }
    }

    @Test("random bytes have the requested count and do not repeat", arguments: [0, 1, 16, 4_096])
    func randomBytes(count: Int) {
        let first = Cryptography.randomBytes(count: count)
        #expect(first.count == count)
        // Sixteen equal random bytes twice in a row happen once in 2^128 runs.
        if count >= 16 { #expect(first != Cryptography.randomBytes(count: count)) }
    }

    @Test("random numbers use all four bytes")
    func randomNumbers() {
        // A bit that is the same in 200 draws is stuck: by chance once in 2^194 runs.
        let draws = (0..<200).map { _ in Cryptography.randomUInt32() }
        #expect(draws.reduce(0, |) == .max)
        #expect(draws.reduce(.max, &) == 0)
    }

    @Test(
        "secrets are equal only when every byte is",
        arguments: [
            ([], [], true), ([1, 2, 3], [1, 2, 3], true), ([1, 2, 3], [1, 2, 4], false),
            ([9, 2, 3], [1, 2, 3], false), ([1, 2], [1, 2, 3], false), ([], [0], false),
        ] as [([UInt8], [UInt8], Bool)]
    )
    func constantTime(left: [UInt8], right: [UInt8], isEqual: Bool) {
        #expect(Cryptography.isEqualInConstantTime(left, right) == isEqual)
    }

    private func hexText(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
