import Foundation
import Testing

/// The working tree that this test was compiled in.
enum Checkout {
    /// The folder that holds Package.swift.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Everything below Sources and Tests, in the order of the paths.
    static let files: [CheckedFile] = listing(below: ["Sources", "Tests"])

    /// The scripts: files without an extension below these folders.
    static let scripts: [CheckedFile] = listing(below: ["scripts", "Benchmarks", ".ci"])
        .filter { !$0.name.contains(".") }

    /// The files of the page for browsers, without the fetched chart library.
    static let pageFiles = files.filter { file in
        file.path.hasPrefix("Sources/Presentation/WebPage/Assets/")
            && !file.name.hasPrefix("lightweight-charts")
    }

    /// The pages of documentation: those at the top and those below docs.
    static func pages() throws -> [CheckedFile] {
        try ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].map { try file($0) }
            + listing(below: ["docs"]).filter { $0.name.hasSuffix(".md") }
    }

    /// The Swift files whose path begins with `prefix`.
    static func swiftFiles(below prefix: String) -> [CheckedFile] {
        files.filter { $0.language == .swift && $0.path.hasPrefix(prefix) }
    }

    /// One file, its path seen from the root.
    static func file(_ path: String) throws -> CheckedFile {
        let bytes = try Data(contentsOf: root.appending(path: path))
        return CheckedFile(path: path, text: String(decoding: bytes, as: UTF8.self))
    }

    /// The names of everything in one folder.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path())
    }

    private static func listing(below folders: [String]) -> [CheckedFile] {
        var paths: [String] = []
        for folder in folders {
            let base = root.appending(path: folder).path()
            guard let names = FileManager.default.enumerator(atPath: base) else { continue }
            for case let name as String in names
            where names.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
                paths.append("\(folder)/\(name)")
            }
        }
        return paths.sorted().compactMap { try? file($0) }
    }
}

/// A text file of the tree.
struct CheckedFile: Sendable {
    /// The path from the root, with slashes.
    let path: String
    let text: String
    /// The text with comments and string literals blanked out, every line where it was.
    let code: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
        switch Self.language(of: path) {
        case .swift: code = CodeScanner.code(of: text, literals: .swift)
        case .c: code = CodeScanner.code(of: text, literals: .c)
        case nil: code = text
        }
    }

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var language: Language? { Self.language(of: path) }
    /// The lines as an editor counts them: an end of line at the very end begins no new one.
    var lines: [Substring] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    enum Language { case swift, c }

    private static func language(of path: String) -> Language? {
        switch path.split(separator: ".").last {
        case "swift": .swift
        case "c", "cpp", "h", "hpp": .c
        default: nil
        }
    }
}

extension CheckedFile: CustomTestStringConvertible {
    var testDescription: String { path }
}

/// A place where a rule is broken, as compilers print it.
struct Finding: CustomStringConvertible {
    let path: String
    let line: Int
    let words: String

    var description: String { "\(path):\(line): \(words)" }
}

extension CheckedFile {
    /// The places where `pattern` matches, each with the text of the group, or of the whole match.
    func matches(
        _ pattern: String,
        inComments: Bool = false,
        group: Int = 0
    ) throws -> [Finding] {
        let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        let text = inComments ? self.text : code
        let found = expression.matches(in: text, range: NSRange(text.startIndex..., in: text))
        return found.compactMap { match in
            guard let range = Range(match.range(at: group), in: text) else { return nil }
            let line = text[..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
            return Finding(path: path, line: line, words: String(text[range]))
        }
    }
}
