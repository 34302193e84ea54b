import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesHTTP

@Suite("The bytes of a stream wait for their reader, up to a bound", .tags(.threads))
struct ResponseStreamBufferTests {
    @Test("What does not fit is refused whole, and taken again once somebody has read")
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

    @Test("The first end stays, and what came before it is still there")
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

    @Test("A reader waits for the head, for bytes, or for the end", arguments: 0...2)
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

    @Test("Whoever gives up waiting is let go, and loses nothing")
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
