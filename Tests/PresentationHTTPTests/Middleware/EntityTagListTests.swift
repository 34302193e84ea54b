import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("If-None-Match holds a tag by the weak comparison")
struct EntityTagListTests {
    private static let tag = "\"k3-17.abc-gzip\""

    @Test(
        "In whichever form it is listed",
        arguments: [
            "\"k3-17.abc-gzip\"", "W/\"k3-17.abc-gzip\"", "*", " * ",
            "\"x\", \"k3-17.abc-gzip\"", "\"x\",W/\"k3-17.abc-gzip\",\"y\"",
            "\"a,b\" , \"k3-17.abc-gzip\"", ",, \"k3-17.abc-gzip\"", "\"\",\"k3-17.abc-gzip\"",
        ]
    )
    func held(list: String) {
        #expect(EntityTagList.holds(list, Self.tag))
    }

    @Test(
        "And not in what only looks like it",
        arguments: [
            "", "k3-17.abc-gzip", "\"k3-17.abc\"", "\"K3-17.abc-gzip\"", "w/\"k3-17.abc-gzip\"",
            "\"k3-17.abc-gzip", "\"x\" \"k3-17.abc-gzip\"", "\"x, \"k3-17.abc-gzip\"",
            "**", "*, \"x\"", "'k3-17.abc-gzip'",
        ]
    )
    func notHeld(list: String) {
        #expect(!EntityTagList.holds(list, Self.tag))
    }

    @Test("Whatever is listed beside it")
    func anywhere() {
        var random = SeededGenerator(seed: 53)
        for _ in 0..<300 {
            var list = (0..<Int.random(in: 0..<8, using: &random)).map { number in
                Bool.random(using: &random) ? "\"tag-\(number)\"" : "W/\"tag,\(number)\""
            }
            #expect(!EntityTagList.holds(list.joined(separator: ", "), Self.tag))
            list.insert(Self.tag, at: Int.random(in: 0...list.count, using: &random))
            #expect(EntityTagList.holds(list.joined(separator: ","), Self.tag))
        }
    }
}
