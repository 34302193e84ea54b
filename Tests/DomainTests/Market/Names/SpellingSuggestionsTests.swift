import Domain
import Testing

@Suite("Spelling suggestions name what was probably meant")
struct SpellingSuggestionsTests {
    @Test(
        "one wrong, missing, extra or swapped letter is a typing error",
        arguments: ["watxh", "wach", "waatch", "wacth", "WATHC"]
    )
    func near(text: String) {
        #expect(SpellingSuggestions.of(text, among: ["serve", "watch"]) == ["watch"])
    }

    @Test("two swapped letters of a short name are one difference, two wrong letters are too many")
    func short() {
        #expect(SpellingSuggestions.of("DOEG", among: ["DOGE"]) == ["DOGE"])
        #expect(SpellingSuggestions.of("DOXX", among: ["DOGE"]).isEmpty)
    }
}
