import FoundationEssentials

/// How this program came onto the machine.
///
/// A package tells it in a file of one word, `share/hoga/installation`, beside the folder of the
/// program. A program without this file was built from the sources.
enum Installation: String, Sendable, CaseIterable {
    /// The Debian package.
    case package
    /// The archive that holds its C libraries.
    case tarball
    /// The container image.
    case image
    /// A build of the sources, also one placed by `make install`.
    case build

    /// The installation of the running program, read once.
    static let current = of(program: runningProgram)

    /// Reads how a program was installed.
    ///
    /// - Parameter program: the path of the program, symbolic links resolved.
    /// - Returns: `build` if there is no file, or one with another word.
    static func of(program: String) -> Installation {
        var folders = program.split(separator: "/", omittingEmptySubsequences: false)
        guard folders.count > 2 else { return .build }
        folders.removeLast(2)
        let path = folders.joined(separator: "/") + "/share/hoga/installation"
        guard let bytes = FileManager.default.contents(atPath: path) else { return .build }
        let word = String(decoding: bytes.prefix(16), as: UTF8.self)
        return Installation(rawValue: String(word.prefix { !$0.isWhitespace })) ?? .build
    }

    /// The path of the running program as the kernel states it, symbolic links resolved.
    private static var runningProgram: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }
}
