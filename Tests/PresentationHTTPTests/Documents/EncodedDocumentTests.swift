import Dispatch
import HTTPServer
import Synchronization
import Testing

@testable import PresentationHTTP

@Suite("A document is made once in each encoding, for all readers together", .tags(.threads))
struct EncodedDocumentTests {
    private static let bytes = Array(String(repeating: "{\"price\":\"743.5\"},", count: 3_000).utf8)

    private static func document(isCompressible: Bool = true) -> EncodedDocument {
        EncodedDocument(
            bytes: bytes,
            tag: "e-1.x",
            cacheControl: EncodedDocument.publicCacheControl,
            isCompressible: isCompressible
        )
    }

    @Test("Threads that ask for gzip at one time all get the same bytes, in memory too")
    func once() {
        for _ in 0..<20 {
            let document = Self.document()
            let bodies = Mutex<[HTTPServerBody]>([])
            DispatchQueue.concurrentPerform(iterations: 16) { _ in
                let body = document.body(.gzip)
                bodies.withLock { $0.append(body) }
            }
            let made = bodies.withLock { $0 }
            #expect(made.count == 16 && made.allSatisfy { $0 === document.body(.gzip) })
            #expect(document.body(.gzip).byteCount < Self.bytes.count / 10)
            #expect(document.body(.identity) === document.identity)
            #expect(document.identity.byteCount == Self.bytes.count)
        }
    }

    @Test("A tag is another in each encoding, and what is not compressed has one")
    func tags() {
        let document = Self.document()
        #expect(document.tag(document.coding(acceptsGzip: true)) == "\"e-1.x-gzip\"")
        #expect(document.tag(document.coding(acceptsGzip: false)) == "\"e-1.x\"")
        let plain = Self.document(isCompressible: false)
        #expect(plain.coding(acceptsGzip: true) == .identity)
        #expect(plain.body(.identity).byteCount == Self.bytes.count)
    }
}
