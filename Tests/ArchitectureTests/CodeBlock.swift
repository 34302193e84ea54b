import Foundation

/// A block in braces that runs: the body of a function, an accessor or a closure, not of a type.
struct CodeBlock {
    /// The declaration in front of the brace, on one line.
    let heading: String
    /// The line its declaration begins on, counted from 1.
    let line: Int
    /// The number of lines from the declaration to the closing brace.
    let lineCount: Int

    /// The outermost blocks of a file.
    static func blocks(in file: CheckedFile) -> [CodeBlock] {
        guard let language = file.language else { return [] }
        var blocks: [CodeBlock] = []
        var open: [(heading: Substring, line: Int, isBody: Bool)] = []
        let code = file.code
        var headingStart = code.startIndex
        var line = 1
        for index in code.utf8.indices {
            switch code.utf8[index] {
            case UInt8(ascii: "\n"):
                line += 1
            case UInt8(ascii: "{"):
                let heading = declaration(endingIn: code[headingStart..<index], language)
                let newlines = heading.utf8.count { $0 == UInt8(ascii: "\n") }
                let isBody = isBody(heading, language)
                open.append((heading, line - newlines, isBody))
                headingStart = code.utf8.index(after: index)
            case UInt8(ascii: "}"):
                headingStart = code.utf8.index(after: index)
                guard let block = open.popLast() else { continue }
                guard block.isBody, !open.contains(where: \.isBody) else { continue }
                let words = block.heading.split(whereSeparator: \.isWhitespace)
                blocks.append(
                    CodeBlock(
                        heading: words.joined(separator: " "),
                        line: block.line,
                        lineCount: line - block.line + 1
                    )
                )
            default: break
            }
        }
        return blocks
    }

    /// The part of `text` from its last declaring word on, or its last line.
    private static func declaration(
        endingIn text: Substring,
        _ language: CheckedFile.Language
    ) -> Substring {
        if language == .swift, let start = lastDeclaringWord(in: text) { return text[start...] }
        let trimmed = text.trimmingSuffix(while: \.isWhitespace)
        guard let newline = trimmed.lastIndex(of: "\n") else { return trimmed }
        return trimmed[trimmed.index(after: newline)...]
    }

    private static let declaringWords: Set<Substring> = [
        "func", "init", "deinit", "subscript", "var", "let",
        "struct", "class", "enum", "actor", "protocol", "extension",
    ]
    private static let typeWords: Set<Substring> = [
        "struct", "class", "enum", "actor", "protocol", "extension",
    ]

    private static func lastDeclaringWord(in text: Substring) -> Substring.Index? {
        var depth = 0
        var last: Substring.Index?
        var word: Substring.Index?
        // A parameter list may hold closures' types and labels, never a declaration.
        for index in text.indices + [text.endIndex] {
            let character = index < text.endIndex ? text[index] : " "
            if character.isLetter || character.isNumber || character == "_" || character == "." {
                if word == nil { word = index }
                continue
            }
            if let start = word, depth == 0, declaringWords.contains(text[start..<index]) {
                last = start
            }
            word = nil
            if character == "(" { depth += 1 }
            if character == ")" { depth = max(0, depth - 1) }
        }
        return last
    }

    private static func isBody(_ heading: Substring, _ language: CheckedFile.Language) -> Bool {
        switch language {
        case .swift:
            let word = heading.prefix { $0.isLetter }
            // `class func` and `class var` are found by their last word, so this is a type.
            return !typeWords.contains(word)
        case .c:
            let trimmed = heading.trimmingSuffix(while: \.isWhitespace)
            return trimmed.hasSuffix(")") || trimmed.hasSuffix("const")
                || trimmed.hasSuffix("noexcept") || trimmed.hasSuffix("override")
        }
    }
}

extension Substring {
    /// Without the characters at the end that fulfill `condition`.
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> Substring {
        var result = self
        while let last = result.last, condition(last) { result.removeLast() }
        return result
    }
}
