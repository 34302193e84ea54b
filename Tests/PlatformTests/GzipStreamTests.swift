import Compression
import TestSupport
import Testing

@Suite("Gzip in parts")
struct GzipStreamTests {
    @Test("parts in any order and number are one gzip member of their bytes", arguments: 0..<40)
    func member(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var deflater = MessageDeflater(keepsContext: false, level: 6)
        let texts = (0..<6).map { _ in Self.text(&generator) }
        let parts = texts.map { DeflatedBytes($0, with: &deflater) }
        var stream = GzipStream()
        var (sent, expected) = (GzipStream.header, [UInt8]())
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            let place = Int.random(in: 0..<parts.count, using: &generator)
            stream.append(parts[place])
            sent += parts[place].blocks
            expected += texts[place]
        }
        #expect(Gzip.decompressed(sent + stream.trailer, bytesMax: 1 << 22) == expected)
    }

    @Test("each part can be read before the next is sent")
    func prompt() throws {
        var deflater = MessageDeflater(keepsContext: false, level: 6)
        var inflater = MessageInflater(keepsContext: true)
        var output: [UInt8] = []
        for number in 1...5 {
            let text = Array(String(repeating: "event \(number)\n", count: number * 40).utf8)
            let part = DeflatedBytes(text, with: &deflater)
            output.removeAll()
            try inflater.append(part.blocks.span, to: &output, countMax: 1 << 20)
            #expect(output == text)
        }
    }

    @Test("a short part is stored, a longer one becomes shorter")
    func sizes() {
        var deflater = MessageDeflater(keepsContext: false, level: 6)
        let short = DeflatedBytes(Array("id: k3v9x2-1842".utf8), with: &deflater)
        #expect(short.blocks.count == short.count + 5)
        let long = DeflatedBytes(Array(repeating: 65, count: 10_000), with: &deflater)
        #expect(long.blocks.count < 100 && long.count == 10_000)
        #expect(DeflatedBytes(storing: []).blocks == [0, 0, 0, 255, 255])
    }

    private static func text(_ generator: inout SeededGenerator) -> [UInt8] {
        let count = [0, 1, 127, 128, 129, 5_000, 70_000].randomElement(using: &generator) ?? 0
        return (0..<count).map { _ in UInt8.random(in: 97...104, using: &generator) }
    }
}
