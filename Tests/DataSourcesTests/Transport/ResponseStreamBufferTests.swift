import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesHTTP

@Suite("A response stream buffer holds bytes for one reader, up to a bound", .tags(.threads))
struct ResponseStreamBufferTests {
    @Test("bytes beyond the bound are refused whole, and stored after a read")
    func bound() {
        let pipe = ResponseStreamBuffer()
        let piece = [UInt8](repeating: 7, count: 16_384)
        var count = 0
        while pipe.append(piece) { count += 1 }
        #expect(count * piece.count == ResponseStreamBuffer.bytesMax)
        #expect(!pipe.append([1]))
        let contents = pipe.take()
        #expect(contents.bytes.count == ResponseStreamBuffer.bytesMax && contents.wasFull)
        #expect(contents.ending == nil)
        #expect(pipe.append(piece))
        let rest = pipe.take()
        #expect(rest.bytes == piece && !rest.wasFull)
    }

    @Test("the first end counts, and earlier bytes stay")
    func ending() {
        let pipe = ResponseStreamBuffer()
        pipe.begin(status: 200, headers: ["a": "b"])
        #expect(pipe.append([1, 2]))
        pipe.end(TransportError(.timedOut, "first"))
        pipe.end(nil)
        let contents = pipe.take()
        #expect(contents.bytes == [1, 2])
        #expect(contents.ending == .some(.some(TransportError(.timedOut, "first"))))
        #expect(pipe.head?.status == 200)
    }

    @Test("a reader waits for the head, for bytes or for the end", arguments: 0...2)
    func waiting(what: Int) async {
        let pipe = ResponseStreamBuffer()
        await withTaskGroup { group in
            group.addTask { await pipe.wait(isHeadEnough: what == 0) }
            switch what {
            case 0: pipe.begin(status: 204, headers: [:])
            case 1: _ = pipe.append([1])
            default: pipe.end(nil)
            }
            await group.waitForAll()
        }
        #expect(pipe.take().ending == (what == 2 ? .some(nil) : nil))
    }

    @Test("a cancelled reader returns and loses no bytes")
    func cancelled() async {
        let pipe = ResponseStreamBuffer()
        await withTaskGroup { group in
            group.addTask { await pipe.wait(isHeadEnough: false) }
            group.cancelAll()
            await group.waitForAll()
        }
        #expect(pipe.append([5]))
        #expect(pipe.take().bytes == [5])
    }
}
