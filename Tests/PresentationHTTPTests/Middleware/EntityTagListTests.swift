import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("If-None-Match")
struct EntityTagListTests {
    private static let tag = "\"k3-17.abc-gzip\""

    @Test(
        "a tag matches in every valid form",
        arguments: [
            "\"k3-17.abc-gzip\"", "W/\"k3-17.abc-gzip\"", "*", " * ",
            "\"x\", \"k3-17.abc-gzip\"", "\"x\",W/\"k3-17.abc-gzip\",\"y\"",
            "\"a,b\" , \"k3-17.abc-gzip\"", ",, \"k3-17.abc-gzip\"", "\"\",\"k3-17.abc-gzip\"",
        ]
    )
    func held(list: String) {
        #expect(EntityTagList.contains(list, Self.tag))
    }

    @Test(
        "other values do not match",
        arguments: [
            "", "k3-17.abc-gzip", "\"k3-17.abc\"", "\"K3-17.abc-gzip\"", "w/\"k3-17.abc-gzip\"",
            "\"k3-17.abc-gzip", "\"x\" \"k3-17.abc-gzip\"", "\"x, \"k3-17.abc-gzip\"",
            "**", "*, \"x\"", "'k3-17.abc-gzip'",
        ]
    )
    func notHeld(list: String) {
        #expect(!EntityTagList.contains(list, Self.tag))
    }

    @Test("other tags in the list do not matter")
    func anywhere() {
        var random = SeededGenerator(seed: 53)
        for _ in 0..<300 {
            var list = (0..<Int.random(in: 0..<8, using: &random)).map { number in
                Bool.random(using: &random) ? "\"tag-\(number)\"" : "W/\"tag,\(number)\""
            }
            #expect(!EntityTagList.contains(list.joined(separator: ", "), Self.tag))
            list.insert(Self.tag, at: Int.random(in: 0...list.count, using: &random))
            #expect(EntityTagList.contains(list.joined(separator: ","), Self.tag))
        }
    }
}
