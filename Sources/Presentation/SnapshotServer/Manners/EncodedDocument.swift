import Compression
import Synchronization

/// A way in which the bytes of an answer are written.
enum ContentCoding: Sendable, Hashable {
    case identity
    case gzip
}

/// A document that is ready to send, to any number of readers together: its bytes in each
/// encoding, each made once, and their tags.
final class EncodedDocument: Sendable {
    /// The bytes as they are.
    let identity: [UInt8]
    /// How caches are to keep it: `no-cache`, or `private, no-cache` for what is personal.
    let cacheControl: String
    private let opaqueTag: String
    private let isCompressible: Bool
    private let compressed = Mutex<[UInt8]?>(nil)

    /// Makes a document.
    ///
    /// - Parameters:
    ///   - bytes: JSON.
    ///   - tag: changes exactly when the bytes do, among all documents of one address and
    ///     parameters; letters, digits, `-` and `.`.
    ///   - cacheControl: how caches are to keep it.
    ///   - isCompressible: false where the tag alone is to be the tag in every encoding, as
    ///     with what is stored: it is sent as it is.
    init(bytes: [UInt8], tag: String, cacheControl: String, isCompressible: Bool) {
        identity = bytes
        opaqueTag = tag
        self.cacheControl = cacheControl
        self.isCompressible = isCompressible
    }

    /// The encoding that a reader gets who takes gzip or does not.
    func coding(takesGzip: Bool) -> ContentCoding {
        takesGzip && isCompressible ? .gzip : .identity
    }

    /// The value of `ETag` in an encoding.
    func tag(_ coding: ContentCoding) -> String {
        switch coding {
        case .identity: "\"\(opaqueTag)\""
        case .gzip: "\"\(opaqueTag)-gzip\""
        }
    }

    /// The bytes in an encoding; compressed when somebody first asks, while others wait for it.
    func body(_ coding: ContentCoding) -> [UInt8] {
        switch coding {
        case .identity: identity
        case .gzip:
            compressed.withLock { compressed in
                if let compressed { return compressed }
                let body = Gzip.compressed(identity, level: Self.level)
                compressed = body
                return body
            }
        }
    }

    /// How hard it is tried to make it small: documents live for a tenth of a second.
    private static let level = 1
}
