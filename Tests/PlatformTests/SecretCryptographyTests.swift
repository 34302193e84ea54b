import Cryptography
import TestSupport
import Testing

@Suite("Codes and encryption with a key give the published results")
struct SecretCryptographyTests {
    @Test(
        "HMAC-SHA-256 gives the codes of RFC 4231",
        arguments: [
            (
                bytes(0x0b, 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                bytes(0xaa, 20), bytes(0xdd, 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(1...25), bytes(0xcd, 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                bytes(0xaa, 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ] as [([UInt8], [UInt8], String)]
    )
    func hmac(key: [UInt8], message: [UInt8], hex: String) {
        #expect(Cryptography.hmacSHA256(of: message, key: key) == Self.bytes(hex: hex))
    }

    @Test("HMAC-SHA-256 takes an empty key and message, and gives Standard Webhooks' signature")
    func otherCodes() {
        #expect(
            Cryptography.hmacSHA256(of: [], key: [])
                == Self.bytes(
                    hex: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
                )
        )
        let key = Cryptography.bytes(base64: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") ?? []
        let message = "msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{\"test\": 2432232314}"
        let code = Cryptography.hmacSHA256(of: Array(message.utf8), key: key)
        #expect(Cryptography.base64(code) == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    /// The cases 13, 14 and 16 of the proposal of GCM to NIST: key, nonce, context, secret,
    /// encrypted secret, tag.
    private static let cases: [[String]] = [
        [
            String(repeating: "00", count: 32), String(repeating: "00", count: 12), "", "", "",
            "530f8afbc74536b9a963b4f1c4cb738b",
        ],
        [
            String(repeating: "00", count: 32), String(repeating: "00", count: 12), "",
            String(repeating: "00", count: 16), "cea7403d4d606b6e074ec5d3baf39d18",
            "d0d1c8a799996bf0265b98b5d48ab919",
        ],
        [
            String(repeating: "feffe9928665731c6d6a8f9467308308", count: 2),
            "cafebabefacedbaddecaf888", "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
            "76fc6ece0f4e1768cddf8853bb2d551b",
        ],
    ]

    @Test("AES-256-GCM opens the published messages, and no message with a changed byte")
    func published() {
        for texts in Self.cases {
            let parts = texts.map { Self.bytes(hex: $0) }
            let sealed = parts[1] + parts[4] + parts[5]
            let opened = Cryptography.open(sealed, key: parts[0], context: parts[2])
            #expect(opened == parts[3])
            for index in sealed.indices {
                var changed = sealed
                changed[index] ^= 1
                #expect(Cryptography.open(changed, key: parts[0], context: parts[2]) == nil)
                let short = Array(sealed[..<index])
                #expect(Cryptography.open(short, key: parts[0], context: parts[2]) == nil)
            }
            #expect(Cryptography.open(sealed, key: parts[0], context: parts[2] + [0]) == nil)
            #expect(Cryptography.open(sealed, key: Self.bytes(7, 32), context: parts[2]) == nil)
        }
    }

    @Test("a sealed message opens with key and context alone, and each has a nonce of its own")
    func sealing() {
        var random = SeededGenerator(seed: 256)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let key = Cryptography.randomBytes(count: 32)
            let context = Array(bytes.prefix(count / 2))
            let sealed = Cryptography.seal(bytes, key: key, context: context)
            #expect(sealed.count == 12 + count + 16)
            #expect(Cryptography.open(sealed, key: key, context: context) == bytes)
            let other = Cryptography.seal(bytes, key: key, context: context)
            #expect(other[..<12] != sealed[..<12] && other[12...] != sealed[12...])
        }
    }

    private static func bytes(_ byte: UInt8, _ count: Int) -> [UInt8] {
        [UInt8](repeating: byte, count: count)
    }

    private static func bytes(hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
    }
}
