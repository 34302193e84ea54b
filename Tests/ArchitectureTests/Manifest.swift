import Foundation

/// The manifest as the package manager understands it.
struct Manifest: Decodable {
    struct Target: Decodable {
        let name: String
        let type: String
        /// The folder from the root; nil for `Sources/name` or `Tests/name`.
        let path: String?
        let dependencies: [Dependency]
        let providers: [[String: [[String]]]]?

        /// The target's folder, seen from the root.
        var folder: String { path ?? (type == "test" ? "Tests/\(name)" : "Sources/\(name)") }
        var dependencyNames: Set<String> { Set(dependencies.compactMap { $0.byName.first ?? nil }) }
        /// Whether the target wraps a C library: a C, then a capital.
        var isCModule: Bool {
            name.hasPrefix("C") && (name.dropFirst().first?.isUppercase ?? false)
        }
    }

    /// A dependency on a target by its name; anything else does not decode, on purpose.
    struct Dependency: Decodable {
        let byName: [String?]
    }

    let targets: [Target]
    let dependencies: [[String: [String]]]

    /// The target that compiles a file: the one with the longest folder.
    func target(of path: String) -> Target? {
        targets.filter { path.hasPrefix($0.folder + "/") }
            .max { $0.folder.utf8.count < $1.folder.utf8.count }
    }

    /// The manifest, evaluated once for a test run.
    static let current = Result { try load() }

    /// Evaluates Package.swift in a scratch folder: a running test holds the build folder's lock.
    private static func load() throws -> Manifest {
        let scratch = FileManager.default.temporaryDirectory
            .appending(path: "hoga-manifest-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let json = try output(
            of: [
                "swift", "package", "dump-package",
                "--package-path", Checkout.root.path(), "--scratch-path", scratch.path(),
            ])
        return try JSONDecoder().decode(Manifest.self, from: json)
    }
}

/// The features that the compiler in use knows by name.
struct CompilerFeatures: Decodable {
    struct Feature: Decodable {
        let name: String
    }

    struct Kinds: Decodable {
        let upcoming: [Feature]
        let experimental: [Feature]
    }

    let features: Kinds

    /// Asks the compiler.
    static func load() throws -> CompilerFeatures {
        let json = try output(of: ["swiftc", "-print-supported-features"])
        return try JSONDecoder().decode(CompilerFeatures.self, from: json)
    }
}

/// A command that failed, by its name and exit status.
struct CommandFailure: Error {
    let command: String
    let status: Int32
}

/// The standard output of a command of the toolchain.
private func output(of words: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    // The whole manifest, also in a build of some tests.
    process.environment = ProcessInfo.processInfo.environment.filter {
        !["HOGA_TEST_TARGETS", "HOGA_OMITTED_TESTS"].contains($0.key)
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw CommandFailure(
            command: words.joined(separator: " "),
            status: process.terminationStatus
        )
    }
    return output
}
