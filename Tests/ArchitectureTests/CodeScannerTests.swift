import Testing

@Suite("Blanking comments and literals")
struct CodeScannerTests {
    @Test(
        "comments and literals are blanked, code and lengths stay",
        arguments: [
            (#"a // b"#, #"a     "#),
            (#"a /* b /* c */ d */ e"#, #"a                   e"#),
            (#"a "b" c"#, #"a " " c"#),
            (#"a "\"b" c"#, #"a "   " c"#),
            (#"a "b\(c("d") + e)f" g"#, #"a "  (c(" ") + e) " g"#),
            (##"a #"b\(c)"d"# e"##, ##"a  "       "  e"##),
            (##"a #"b\#(c)d"# e"##, ##"a  "   (c) "  e"##),
            (##"a #/"b/# c"##, ##"a        c"##),
            (##"#if a"##, ##"#if a"##),
            ("a \"b\nc", "a \" \nc"),
            ("a \"\"\"\n\"b\"\n\"\"\" c", "a \"\"\"\n   \n\"\"\" c"),
        ]
    )
    func swift(text: String, code: String) {
        #expect(CodeScanner.code(of: text, literals: .swift) == code)
    }

    @Test(
        "C has character literals and comments that do not nest",
        arguments: [
            (#"a '"' b"#, #"a ' ' b"#),
            (#"a '\'' b "c""#, #"a '  ' b " ""#),
            (#"1'000'000 + 'a'"#, #"1'000'000 + ' '"#),
            (#"/* a /* b */ c"#, #"             c"#),
        ]
    )
    func c(text: String, code: String) {
        #expect(CodeScanner.code(of: text, literals: .c) == code)
    }

    @Test(
        "lengths and line feeds stay, however the text ends",
        arguments: ["\"", "\"\"\"", "/*", "#\"", "\"\\(", "a)b", "#/", "'", "\"\\", "한 // 글"]
    )
    func lengthStays(text: String) {
        for literals in [CodeScanner.Literals.swift, .c] {
            #expect(CodeScanner.code(of: text, literals: literals).utf8.count == text.utf8.count)
        }
    }
}
