internal import CWebPage
import Cryptography

/// The page at `/`: files embedded in the binary.
public struct WebPage: Sendable {
    /// A file.
    public struct File: Sendable {
        /// The file's name.
        public let name: String
        /// The value of `Content-Type`.
        public let mediaType: String
        /// The content.
        public let bytes: [UInt8]
    }

    /// The version of the chart library.
    public static let chartVersion = "4.1.3"

    /// The document at `/`.
    public let index: File
    /// The files that it loads.
    public let files: [File]
    /// A part of the files' paths that differs between builds with different files.
    public let build: String

    /// The page of this binary.
    public init() { self.init(Self.embeddedFiles) }

    /// Makes a page of files.
    ///
    /// - Parameter all: `index.html` and the files that it loads; `{build}` in `index.html` becomes
    ///   ``build``.
    init(_ all: [(name: String, bytes: [UInt8])]) {
        var hashed: [UInt8] = []
        for file in all.sorted(by: { $0.name < $1.name }) {
            hashed += Array(file.name.utf8) + [0] + Cryptography.sha256(file.bytes)
        }
        let digest = Cryptography.sha256(hashed).prefix(8).reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        let build = String(digest, radix: 36)
        guard let index = all.first(where: { $0.name == Self.indexName }) else {
            preconditionFailure("the page has no \(Self.indexName)")
        }
        let text = String(decoding: index.bytes, as: UTF8.self).replacing("{build}", with: build)
        self.build = build
        self.index = Self.file(index.name, Array(text.utf8))
        files = all.filter { $0.name != index.name }.map { Self.file($0.name, $0.bytes) }
    }

    private static let indexName = "index.html"

    private static func file(_ name: String, _ bytes: [UInt8]) -> File {
        guard let ending = name.split(separator: ".").last, let type = mediaTypes[ending] else {
            preconditionFailure("the kind of \(name) is unknown")
        }
        return File(name: name, mediaType: type, bytes: bytes)
    }

    private static let mediaTypes: [Substring: String] = [
        "css": "text/css; charset=utf-8",
        "html": "text/html; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
    ]

    private static var embeddedFiles: [(name: String, bytes: [UInt8])] {
        // Constant data of the binary.
        let files = unsafe UnsafeBufferPointer(
            start: hoga_web_files(),
            count: hoga_web_file_count()
        )
        return unsafe files.map { file in
            let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
            return (name: unsafe String(cString: file.name), bytes: unsafe Array(bytes))
        }
    }
}
