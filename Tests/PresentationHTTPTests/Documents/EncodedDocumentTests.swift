import Dispatch
import SharedMemory
import ViewStates
import Synchronization
import Testing

@testable import PresentationHTTP

@Suite("Encoded documents", .tags(.threads))
struct EncodedDocumentTests {
    private static let bytes = Array(String(repeating: "{\"price\":\"743.5\"},", count: 3_000).utf8)

    private static func document(
        _ scope: CacheableDocument.Scope = .anyone,
        onEncode: @escaping @Sendable () -> Void = {}
    ) -> CacheableDocument {
        let document = EncodedDocument(revision: "e-1", tag: "e-1.x") {
            onEncode()
            return bytes
        }
        return CacheableDocument(document: document, scope: scope)
    }

    @Test("concurrent readers get the same bytes, encoded and compressed once")
    func once() {
        for _ in 0..<20 {
            let encodings = Mutex(0)
            let document = Self.document { encodings.withLock { $0 += 1 } }
            let bodies = Mutex<Set<[UInt8]>>([])
            DispatchQueue.concurrentPerform(iterations: 16) { number in
                let body = document.body(isGzip: number.isMultiple(of: 2)).bytes
                bodies.withLock { _ = $0.insert(body) }
            }
            #expect(encodings.withLock { $0 } == 1)
            #expect(bodies.withLock { $0.count } == 2)
            #expect(document.body(isGzip: true).bytes.count < Self.bytes.count / 10)
            #expect(document.body(isGzip: false).bytes == Self.bytes)
        }
    }

    @Test("each coding has a tag of its own, and stored documents are never compressed")
    func tags() {
        let document = Self.document()
        #expect(document.tag(isGzip: true) == "\"e-1.x-gzip\"")
        #expect(document.tag(isGzip: false) == "\"e-1.x\"")
        #expect(document.isCompressible && Self.document(.user).isCompressible)
        #expect(!Self.document(.stored).isCompressible)
    }

    @Test("a coding is cached once it was made, and patches are bounded")
    func codings() {
        let document = Self.document().document
        #expect(document.cached(.identity) == nil && document.cached(.gzip) == nil)
        _ = document.gzip { Array($0.prefix(1)) }
        #expect(document.cached(.identity)?.bytes == Self.bytes)
        #expect(document.cached(.gzip)?.bytes.count == 1)
        #expect(document.gzip { _ in [] }.bytes.count == 1)
    }
}
