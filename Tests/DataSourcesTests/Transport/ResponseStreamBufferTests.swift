import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesHTTP

@Suite("A response stream buffer holds bytes for one reader, up to a bound", .tags(.threads))
struct ResponseStreamBufferTests {
    @Test("bytes beyond the bound are refused whole, and stored after a read")
    func bound() {
        let buffer = ResponseStreamBuffer()
        let piece = [UInt8](repeating: 7, count: 16_384)
        var count = 0
        while buffer.append(piece) { count += 1 }
        #expect(count * piece.count == ResponseStreamBuffer.bytesMax)
        #expect(!buffer.append([1]))
        let contents = buffer.take()
        #expect(contents.bytes.count == ResponseStreamBuffer.bytesMax && contents.wasFull)
        #expect(contents.ending == nil)
        #expect(buffer.append(piece))
        let rest = buffer.take()
        #expect(rest.bytes == piece && !rest.wasFull)
    }

    @Test("the first end counts, and earlier bytes stay")
    func ending() {
        let buffer = ResponseStreamBuffer()
        buffer.begin(status: 200, headers: ["a": "b"])
        #expect(buffer.append([1, 2]))
        buffer.end(TransportError(.timedOut, "first"))
        buffer.end(nil)
        let contents = buffer.take()
        #expect(contents.bytes == [1, 2])
        #expect(contents.ending == .some(.some(TransportError(.timedOut, "first"))))
        #expect(buffer.head?.status == 200)
    }

    @Test("a reader waits for the head, for bytes or for the end", arguments: 0...2)
    func waiting(what: Int) async {
        let buffer = ResponseStreamBuffer()
        await withTaskGroup { group in
            group.addTask { await buffer.wait(isHeadEnough: what == 0) }
            switch what {
            case 0: buffer.begin(status: 204, headers: [:])
            case 1: _ = buffer.append([1])
            default: buffer.end(nil)
            }
            await group.waitForAll()
        }
        #expect(buffer.take().ending == (what == 2 ? .some(nil) : nil))
    }

    @Test("a cancelled reader returns and loses no bytes")
    func cancelled() async {
        let buffer = ResponseStreamBuffer()
        await withTaskGroup { group in
            group.addTask { await buffer.wait(isHeadEnough: false) }
            group.cancelAll()
            await group.waitForAll()
        }
        #expect(buffer.append([5]))
        #expect(buffer.take().bytes == [5])
    }
}
