import Foundation
import Testing

@Suite("Tags of suites say how they are run")
struct SuiteTagTests {
    /// Code that starts threads or tasks, or needs several of them.
    private static let threads =
        #"\b(?:Mutex|Atomic|Thread(?!\.sleep)|ReadingThread|ThreadExecutor|BlockingExecutor|"#
        + #"\w*TaskGroup|concurrentPerform|LoopbackServer|FaultyRelay|TCPClient)\b|\basync let\b|"#
        + #"\bTask(?:\.detached)? ?[{(]"#

    /// A suite of a file: its attribute and body.
    private struct Suite {
        let name: String
        let attribute: String
        let body: CheckedFile

        func hasTag(_ tag: String) -> Bool {
            let pattern = #"\.tags\([^)]*\.\#(tag)\b"#
            return attribute.range(of: pattern, options: .regularExpression) != nil
        }
    }

    private static func suites(of file: CheckedFile) throws -> [Suite] {
        let parts = file.text.components(separatedBy: "\n@Suite(").dropFirst()
        let type = try Regex(#"\n(?:final )?(?:struct|class|actor|enum) (\w+)"#)
        return parts.compactMap { part in
            guard let match = part.firstMatch(of: type), let name = match.output[1].substring
            else { return nil }
            return Suite(
                name: String(name),
                attribute: String(part[..<match.range.lowerBound]),
                body: CheckedFile(
                    path: file.path,
                    text: String(part[match.range.lowerBound...])
                )
            )
        }
    }

    @Test("a suite that starts threads has the tag `threads`")
    func tags() throws {
        var (tagged, untagged) = (0, 0)
        for file in Checkout.swiftFiles(below: "Tests/") where file.name.hasSuffix("Tests.swift") {
            // Tests of whole programs wait in threads of their own; those with the tag are chosen.
            let isFree = ["ArchitectureTests", "IntegrationTests"].contains {
                file.path.hasPrefix("Tests/\($0)/")
            }
            for suite in try Self.suites(of: file) {
                let isTagged = suite.hasTag("threads")
                if isTagged { tagged += 1 } else { untagged += 1 }
                guard !isFree, !isTagged else { continue }
                let begun = try suite.body.matches(Self.threads)
                #expect(begun.isEmpty, "\(file.path): \(suite.name) needs .tags(.threads)")
            }
        }
        #expect(tagged > 50 && untagged > 50)
    }

    @Test("suites with more cases in `make check`, and no others, have the tag `manyCases`")
    func manyCases() throws {
        var tagged = 0
        for file in Checkout.swiftFiles(below: "Tests/") where file.name.hasSuffix("Tests.swift") {
            for suite in try Self.suites(of: file) {
                let isTagged = suite.hasTag("manyCases")
                if isTagged { tagged += 1 }
                let usesCases = try !suite.body.matches(#"\bCases\.(?:seeds|widths)\("#).isEmpty
                #expect(isTagged == usesCases, "\(file.path): \(suite.name)")
            }
        }
        #expect(tagged > 10)
    }

    @Test("every suite has an attribute with a title, which scripts/test-suites.py reads")
    func attributes() throws {
        for file in Checkout.swiftFiles(below: "Tests/") where file.name.hasSuffix("Tests.swift") {
            let suites = try file.matches(#"^@Suite\("#)
            let tests = try file.matches(#"^@Test\("#)
            #expect(!suites.isEmpty, "\(file.path) has no @Suite")
            #expect(tests.isEmpty, "\(file.path) has a test outside of a suite")
        }
    }
}
