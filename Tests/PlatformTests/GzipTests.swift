import Compression
import TestSupport
import Testing

@Suite("Gzip compresses and decompresses bodies")
struct GzipTests {
    @Test("decompression restores any body", arguments: [0, 1, 500, 70_000, 1_000_000])
    func roundTrip(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() % 17) }
        for level in [-1, 1, 6, 12] {
            let packed = Gzip.compressed(bytes, level: level)
            #expect(packed.starts(with: [0x1f, 0x8b]))
            #expect(Gzip.decompressed(packed, bytesMax: count + 1) == bytes)
            if count > 100 { #expect(packed.count < count) }
        }
    }

    @Test("a truncated, foreign or oversized body gives nil")
    func refusal() {
        let packed = Gzip.compressed([UInt8](repeating: 7, count: 10_000), level: 6)
        #expect(Gzip.decompressed(packed, bytesMax: 9_999) == nil)
        #expect(Gzip.decompressed(Array(packed.dropLast()), bytesMax: 20_000) == nil)
        #expect(Gzip.decompressed(Array("plain".utf8), bytesMax: 20_000) == nil)
    }

    @Test(
        "gzip is accepted with a positive weight not below that of identity",
        arguments: [
            ("gzip", true), ("deflate, GZIP;q=0.5", true), ("br;q=1.0, gzip ; q=0.001", true),
            ("gzip;q=0", false), ("gzip; q=0.000", false), ("deflate", false), ("", false),
            ("x-gzip", false), (nil, false),
            ("identity;q=1, gzip;q=0.5", false), ("gzip;q=0.5, identity", false),
            ("identity;q=0.5, gzip", true), ("identity;q=0.5;gzip;q=0.501", false),
            ("identity;q=0.5, gzip;q=0.501", true), ("gzip, identity", true),
            ("identity;q=0, gzip;q=0.001", true), ("identity;q=0.9,gzip;q=0.899,br", false),
            ("gzip;q=", false), ("gzip;q=0.0001", false), ("gzip;q=x", true), ("gzip;q=9", true),
        ] as [(String?, Bool)]
    )
    func accepted(header: String?, isAccepted: Bool) {
        #expect(Gzip.isAccepted(by: header) == isAccepted)
    }
}
