import FoundationEssentials

/// A file that a command imports, or that configures it.
enum ImportFile {
    /// The maximum number of wrong lines in an error.
    static let mistakesMax = 10

    /// Why a file is not imported.
    struct Refusal: Error, Equatable, CustomStringConvertible {
        /// The reason, or one line of text for each wrong line: `line 4: …`.
        let description: String
    }

    /// The content of a regular file of at most `bytesMax` bytes.
    static func content(of path: String, bytesMax: Int) throws(Refusal) -> [UInt8] {
        // Attributes are those of the link's target.
        let path = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        // Reading a device or pipe might never end.
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let size = attributes?.number(.size)
        else { throw Refusal(description: "it is not a readable file") }
        guard size <= bytesMax else {
            throw Refusal(description: "it is larger than \(bytesMax) bytes")
        }
        guard let content = FileManager.default.contents(atPath: path) else {
            throw Refusal(description: "it cannot be read")
        }
        return Array(content)
    }
}
