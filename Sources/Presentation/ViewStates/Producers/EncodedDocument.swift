import Synchronization

/// One revision of a document as bytes: each coding is made once and shared by all readers.
public final class EncodedDocument: Sendable {
    /// A form of the document's bytes.
    public enum Coding: Sendable, Hashable {
        /// JSON.
        case identity
        /// JSON, compressed.
        case gzip
        /// The patch that leads from an older revision to this one.
        case patch(from: DocumentRevision)
    }

    /// Patches kept of a revision; most readers share the first.
    ///
    /// Further ones are made each time.
    public static let patchesMax = 4

    /// `k3v9x2-1842`.
    public let revision: String
    /// Identifies the bytes among all documents of the process: letters, digits, `-` and `.`.
    public let tag: String

    private let makeJSON: @Sendable () -> [UInt8]
    private struct Codings {
        var identity: [UInt8]?
        var gzip: [UInt8]?
        /// At most ``patchesMax``: comparing them takes less time than hashing a revision.
        var patches: [(from: DocumentRevision, bytes: [UInt8])] = []

        subscript(coding: Coding) -> [UInt8]? {
            get {
                switch coding {
                case .identity: identity
                case .gzip: gzip
                case .patch(let from): patches.first { $0.from == from }?.bytes
                }
            }
            set {
                switch coding {
                case .identity: identity = newValue
                case .gzip: gzip = newValue
                case .patch(let from):
                    guard let newValue, patches.count < EncodedDocument.patchesMax else { return }
                    patches.append((from, newValue))
                }
            }
        }
    }

    private let codings = Mutex(Codings())

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

    /// The document as JSON.
    public var json: [UInt8] { bytes(.identity, make: makeJSON) }

    /// The compressed JSON.
    ///
    /// - Parameter compress: compresses JSON; other readers wait meanwhile.
    /// - Returns: the bytes, compressed once per revision.
    public func gzip(_ compress: ([UInt8]) -> [UInt8]) -> [UInt8] {
        let json = json
        return bytes(.gzip) { compress(json) }
    }

    /// The bytes in a coding, made by the first reader that asks while others wait.
    public func bytes(_ coding: Coding, make: () -> [UInt8]) -> [UInt8] {
        codings.withLock { codings in
            if let bytes = codings[coding] { return bytes }
            let bytes = make()
            codings[coding] = bytes
            return bytes
        }
    }

    /// The bytes in a coding; nil if they were not made yet.
    public func cached(_ coding: Coding) -> [UInt8]? { codings.withLock { $0[coding] } }
}
