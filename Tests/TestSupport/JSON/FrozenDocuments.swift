import Foundation

/// A document that a release of the program wrote, stored as a file.
public struct FrozenDocument: Sendable, CustomStringConvertible {
    /// The generation of its file, from 1.
    public let generation: Int
    /// The schema's name.
    public let schema: String
    /// The schema's version.
    public let version: Int
    /// The name of the sample that the document shows.
    public let scene: String
    /// The JSON.
    public let bytes: [UInt8]

    /// Creates a document.
    public init(generation: Int, schema: String, version: Int, scene: String, bytes: [UInt8]) {
        self.generation = generation
        self.schema = schema
        self.version = version
        self.scene = scene
        self.bytes = bytes
    }

    /// `market-list.v1.live.json`.
    public var fileName: String { "\(schema).v\(version).\(scene).json" }

    /// `001/market-list.v1.live.json`.
    public var description: String { FrozenDocuments.folderName(generation) + "/" + fileName }
}

/// The files of frozen documents: one folder for each generation, never changed again.
public enum FrozenDocuments: Sendable {
    /// The folder or a file in it is invalid.
    public struct Unfit: Error, Sendable, CustomStringConvertible {
        /// The description of the fault.
        public let description: String

        /// Creates an error.
        public init(description: String) { self.description = description }
    }

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ViewStatesTests/Fixtures/Frozen")

    /// Every document of every generation.
    public static func all() throws -> [FrozenDocument] {
        try generations().flatMap { try documents(of: $0) }
    }

    /// The documents of the last generation; empty without any.
    public static func newest() throws -> [FrozenDocument] {
        guard let last = try generations().last else { return [] }
        return try documents(of: last)
    }

    /// Writes documents as a new generation and ignores their own.
    ///
    /// - Parameter documents: the documents, each file name once.
    /// - Returns: the folder's path.
    /// - Throws: Foundation's error if a file cannot be written.
    public static func freeze(_ documents: [FrozenDocument]) throws -> String {
        let next = (try generations().last ?? 0) + 1
        let target = folder.appending(path: folderName(next))
        // Fails if the file exists: frozen documents are never overwritten.
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
        for document in documents {
            let file = target.appending(path: document.fileName)
            try Data(document.bytes + [UInt8(ascii: "\n")])
                .write(to: file, options: .withoutOverwriting)
        }
        return target.path
    }

    static func folderName(_ generation: Int) -> String {
        let digits = "\(generation)"
        return String(repeating: "0", count: max(3 - digits.count, 0)) + digits
    }

    private static func generations() throws -> [Int] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
            guard let number = Int(name), folderName(number) == name else {
                throw Unfit(description: "\(name) is no generation of frozen documents")
            }
            return number
        }.sorted()
    }

    private static func documents(of generation: Int) throws -> [FrozenDocument] {
        let place = folder.appending(path: folderName(generation))
        return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted().map {
            let parts = $0.split(separator: ".").map(String.init)
            guard parts.count == 4, parts[1].hasPrefix("v"), parts[3] == "json",
                let version = Int(parts[1].dropFirst())
            else { throw Unfit(description: "\($0) is not named SCHEMA.vVERSION.SCENE.json") }
            return FrozenDocument(
                generation: generation,
                schema: parts[0],
                version: version,
                scene: parts[2],
                bytes: Array(try Data(contentsOf: place.appending(path: $0)))
            )
        }
    }
}
