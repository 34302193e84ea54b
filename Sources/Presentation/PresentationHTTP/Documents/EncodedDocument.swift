import Compression
import HTTPServer
import Synchronization

/// A way in which the bytes of an answer are written.
enum ContentCoding: Sendable, Hashable {
    case identity
    case gzip
}

/// A document that is ready to send, to any number of readers together: its bytes in each
/// encoding, each made once, and their tags.
final class EncodedDocument: Sendable {
    /// How caches are to keep what everybody gets.
    static let publicCacheControl = "no-cache"
    /// How they are to keep what is personal.
    static let personalCacheControl = "private, no-cache"

    /// The bytes as they are.
    let identity: HTTPServerBody
    /// How caches are to keep it.
    let cacheControl: String
    /// Whether readers who take gzip get it so.
    let isCompressible: Bool
    private let identityTag: String
    private let gzipTag: String
    private let bytes: [UInt8]
    private let compressed = AtomicLazyReference<HTTPServerBody>()
    private let compressing = Mutex(())

    /// Makes a document.
    ///
    /// - Parameters:
    ///   - bytes: JSON.
    ///   - tag: changes exactly when the bytes do, among all documents of one address and its
    ///     parameters; letters, digits, `-` and `.`.
    ///   - cacheControl: how caches are to keep it.
    ///   - isCompressible: false where the tag alone is to be the tag in every encoding, as
    ///     with what is stored: it is sent as it is.
    init(bytes: [UInt8], tag: String, cacheControl: String, isCompressible: Bool) {
        identity = HTTPServerBody(bytes)
        self.bytes = isCompressible ? bytes : []
        identityTag = "\"\(tag)\""
        gzipTag = "\"\(tag)-gzip\""
        self.cacheControl = cacheControl
        self.isCompressible = isCompressible
    }

    /// The encoding that a reader gets who takes gzip or does not.
    func coding(acceptsGzip: Bool) -> ContentCoding {
        acceptsGzip && isCompressible ? .gzip : .identity
    }

    /// The bytes that it has in memory, those of gzip as soon as somebody has asked for them.
    var byteCount: Int { identity.byteCount + (compressed.load()?.byteCount ?? 0) }

    /// The value of `ETag` in an encoding.
    func tag(_ coding: ContentCoding) -> String {
        switch coding {
        case .identity: identityTag
        case .gzip: gzipTag
        }
    }

    /// Whether somebody has asked for it in gzip.
    var isCompressed: Bool { compressed.load() != nil }

    /// The bytes in an encoding; compressed when somebody first asks, while others wait for it.
    func body(_ coding: ContentCoding) -> HTTPServerBody {
        switch coding {
        case .identity: identity
        case .gzip:
            compressed.load()
                ?? compressing.withLock { _ in
                    if let made = compressed.load() { return made }
                    return compressed.storeIfNil(
                        HTTPServerBody(Gzip.compressed(bytes, level: Self.level))
                    )
                }
        }
    }

    /// How hard it is tried to make it small: a document of changing markets lives for a tenth
    /// of a second.
    ///
    /// Two milliseconds for a list of all markets, a sixth smaller than in the one that the
    /// quickest level takes.
    private static let level = 6
}
