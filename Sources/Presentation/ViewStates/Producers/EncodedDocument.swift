public import SharedMemory
import Synchronization

/// One revision of a document as bytes: each coding is made once and shared by all readers.
///
/// A file of the page is one, too: its bytes stand in place of JSON.
public final class EncodedDocument: Sendable {
    /// A form of the document's bytes.
    public enum Coding: Sendable, Hashable {
        /// JSON.
        case identity
        /// JSON, compressed.
        case gzip
    }

    /// `k3v9x2-1842`.
    public let revision: String
    /// Identifies the bytes among all documents of the process: letters, digits, `-` and `.`.
    public let tag: String

    private let makeJSON: @Sendable () -> [UInt8]
    private let codings = Mutex<[Coding: SharedBytes]>([:])
    /// Held while bytes are made; readers of bytes in another coding do not wait.
    private let making = Mutex(())

    /// Makes a document that is encoded on first use.
    ///
    /// - Parameters:
    ///   - revision: the document's revision.
    ///   - tag: as ``tag``.
    ///   - makeJSON: encodes the document; called once.
    public init(
        revision: String,
        tag: String,
        makeJSON: @escaping @Sendable () -> [UInt8]
    ) {
        self.revision = revision
        self.tag = tag
        self.makeJSON = makeJSON
    }

    /// Makes a document of the cache.
    ///
    /// The tag holds a hash of the cache key beside the revision, so that two keys do not share
    /// tags. Hashes are seeded per process, as the epoch of a revision is.
    convenience init(
        _ revision: DocumentRevision,
        _ key: DocumentCacheKey,
        makeJSON: @escaping @Sendable () -> [UInt8]
    ) {
        let hash = String(UInt(bitPattern: key.hashValue), radix: 36)
        self.init(
            revision: revision.text,
            tag: "\(revision.text).\(hash)",
            makeJSON: makeJSON
        )
    }

    /// The document as JSON.
    public var json: [UInt8] { sharedJSON.bytes }

    /// The document as JSON, shared by all readers.
    public var sharedJSON: SharedBytes { shared(.identity, make: makeJSON) }

    /// The compressed JSON, shared by all readers.
    ///
    /// - Parameter compress: compresses JSON; other readers wait meanwhile.
    /// - Returns: the bytes, compressed once per revision.
    public func gzip(_ compress: ([UInt8]) -> [UInt8]) -> SharedBytes {
        let json = json
        return shared(.gzip) { compress(json) }
    }

    /// The bytes in a coding, made by the first reader that asks while others wait.
    private func shared(_ coding: Coding, make: () -> [UInt8]) -> SharedBytes {
        if let shared = cached(coding) { return shared }
        return making.withLock { _ in
            if let shared = cached(coding) { return shared }
            let shared = SharedBytes(make())
            codings.withLock { $0[coding] = shared }
            return shared
        }
    }

    /// The bytes in a coding; nil if they were not made yet.
    ///
    /// Never waits for bytes that are being made.
    public func cached(_ coding: Coding) -> SharedBytes? { codings.withLock { $0[coding] } }
}
