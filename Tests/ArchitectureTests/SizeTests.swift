import Testing

@Suite("Sizes of files, functions and lines")
struct SizeTests {
    @Test("a file is no longer than its limit")
    func fileLengths() throws {
        try #require(!Checkout.files.isEmpty)
        for file in Checkout.files.filter({ $0.language != nil }) + Checkout.pageFiles {
            let cap =
                file.path.hasPrefix("Tests/")
                ? ArchitectureRules.testFileLinesMax : ArchitectureRules.sourceFileLinesMax
            #expect(file.lines.count <= cap, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test("a function is no longer than its limit")
    func functionLengths() throws {
        let blocks = Checkout.files.flatMap { file in
            CodeBlock.blocks(in: file).map { (file, $0) }
        }
        try #require(!blocks.isEmpty)
        for (file, block) in blocks {
            let isTest = file.path.hasPrefix("Tests/")
            let count = block.lineCount - (isTest ? Self.literalLineCount(block, in: file) : 0)
            #expect(
                count <= ArchitectureRules.functionLinesMax,
                "\(file.path):\(block.line): \(block.heading) has \(count) lines"
            )
        }
    }

    /// How many lines of a block are inside multi-line literals: pictures of the screen in tests.
    private static func literalLineCount(_ block: CodeBlock, in file: CheckedFile) -> Int {
        var isInside = false
        var count = 0
        for line in file.lines[(block.line - 1)...].prefix(block.lineCount) {
            // One that begins and ends on a line has no line of its own.
            let marks = line.ranges(of: "\"\"\"").count
            if marks % 2 == 1 { isInside.toggle() } else if isInside { count += 1 }
        }
        return count
    }

    @Test("a line is no longer than its limit in every language")
    func lineLengths() throws {
        let files =
            try Checkout.files.filter { $0.language != nil } + Checkout.scripts + Checkout.pageFiles
            + ["Makefile", "Package.swift"].map(Checkout.file)
        try #require(!Checkout.scripts.isEmpty && !Checkout.pageFiles.isEmpty)
        for file in files {
            for (number, line) in file.lines.enumerated()
            where line.count > ArchitectureRules.lineColumnsMax {
                Issue.record("\(file.path):\(number + 1) has \(line.count) columns")
            }
        }
    }
}

@Suite("Finding blocks of code")
struct CodeBlockTests {
    @Test("functions, accessors and closures are blocks; types are not")
    func swiftBlocks() {
        let text = """
            import struct Other.Part
            struct A<T> {
                let b = 1
                var c: Int { b }
                static let d = f({ "}" }) + [
                    1
                ]
                class E {
                    init(_ g: () -> Void = {}) {
                        // }
                        if true {
                            g()
                        }
                    }
                }
                class func h(
                    i: Int
                ) {
                }
            }
            """
        let blocks = CodeBlock.blocks(in: CheckedFile(path: "A.swift", text: text))
        #expect(blocks.map(\.line) == [4, 5, 9, 9, 16])
        #expect(blocks.map(\.lineCount) == [1, 1, 1, 6, 4])
        #expect(blocks.last?.heading == "func h( i: Int )")
    }

    @Test("C functions are blocks; structures and linkages are not")
    func cBlocks() {
        let text = """
            extern "C" {
            struct a { int b; };
            static inline int c(int d)
            {
                if (d == '{') { return 1; }
                return 1'000;
            }
            int e() const {
            }
            }
            """
        let blocks = CodeBlock.blocks(in: CheckedFile(path: "A.cpp", text: text))
        #expect(blocks.map(\.heading) == ["static inline int c(int d)", "int e() const"])
        #expect(blocks.map(\.lineCount) == [4, 2])
    }
}
