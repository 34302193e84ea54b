import Foundation
import Testing

@Suite("What the thread sanitizer leaves out has one thread")
struct SanitizerTests {
    /// What begins a thread or a task, or is only needed among several.
    private static let threads =
        #"\b(?:Mutex|Atomic|Thread|ReadingThread|TaskGroup|Task|concurrentPerform)\b"#
    private static let suites = #"^(?:final )?(?:struct|class) (\w+)"#

    /// The pattern by which `make tsan` leaves tests out.
    private static func leftOut() throws -> NSRegularExpression {
        let pieces = try Checkout.file("Makefile")
            .matches(
                #"^SHARED_NOTHING := (?:\$\(SHARED_NOTHING\))?(.+)$"#,
                inComments: true,
                group: 1
            )
        try #require(!pieces.isEmpty)
        return try NSRegularExpression(pattern: pieces.map(\.words).joined())
    }

    @Test("No suite that is left out begins a thread")
    func threads() throws {
        let leftOut = try Self.leftOut()
        var (skipped, taken) = (0, 0)
        for file in Checkout.swiftFiles(below: "Tests/") where file.name.hasSuffix("Tests.swift") {
            let target = file.path.split(separator: "/")[1]
            guard target != "ArchitectureTests" else { continue }
            let begun = try file.matches(Self.threads)
            for suite in try file.matches(Self.suites, group: 1) {
                let name = "\(target).\(suite.words)/"
                let range = NSRange(name.startIndex..., in: name)
                guard leftOut.firstMatch(in: name, range: range) != nil else {
                    taken += 1
                    continue
                }
                skipped += 1
                #expect(begun.isEmpty, "\(name) at line \(begun.first?.line ?? 0)")
            }
        }
        #expect(skipped > 50 && taken > 50)
    }
}
