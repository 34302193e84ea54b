/// Blanks out comments and string literals, so that rules about code see only code.
///
/// Every line stays where it was and as long as it was, in bytes. What stands inside `\( )` is
/// code and stays. A quote inside a bare regex literal would hide the rest of its line, no more.
struct CodeScanner {
    enum Literals { case swift, c }

    private let bytes: [UInt8]
    private let literals: Literals
    private var output: [UInt8] = []
    private var position = 0

    /// The code of a text.
    static func code(of text: String, literals: Literals) -> String {
        var scanner = CodeScanner(bytes: Array(text.utf8), literals: literals)
        while scanner.position < scanner.bytes.count {
            scanner.scanCode()
            scanner.keep()
        }
        return String(decoding: scanner.output, as: UTF8.self)
    }

    private init(bytes: [UInt8], literals: Literals) {
        self.bytes = bytes
        self.literals = literals
        output.reserveCapacity(bytes.count)
    }

    /// Up to the parenthesis that closes what was opened before, or to the end.
    private mutating func scanCode() {
        var depth = 0
        while position < bytes.count {
            if scanComment() || scanLiteral() { continue }
            if bytes[position] == UInt8(ascii: "(") { depth += 1 }
            if bytes[position] == UInt8(ascii: ")") {
                if depth == 0 { return }
                depth -= 1
            }
            keep()
        }
    }

    private mutating func scanComment() -> Bool {
        if sees("//") {
            while position < bytes.count, !sees("\n") { blank() }
            return true
        }
        guard sees("/*") else { return false }
        var depth = 0
        repeat {
            if sees("/*"), literals == .swift || depth == 0 {
                depth += 1
                blank(2)
            } else if sees("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && position < bytes.count
        return true
    }

    private mutating func scanLiteral() -> Bool {
        switch literals {
        case .swift:
            var hashes = 0
            while sees("#", ahead: hashes) { hashes += 1 }
            if sees("\"", ahead: hashes) {
                scanSwiftString(hashes: hashes)
                return true
            }
            if hashes > 0, sees("/", ahead: hashes) {
                scanRegex(hashes: hashes)
                return true
            }
            return false
        case .c:
            // A quote between digits is a separator of C++, not a character.
            let isAfterDigit = position > 0 && bytes[position - 1].isAlphanumeric
            guard sees("\"") || (sees("'") && !isAfterDigit) else { return false }
            let quote = bytes[position]
            keep()
            while position < bytes.count, bytes[position] != quote, !sees("\n") {
                blank(sees("\\") ? 2 : 1)
            }
            if position < bytes.count, bytes[position] == quote { keep() }
            return true
        }
    }

    private mutating func scanSwiftString(hashes: Int) {
        let fence = String(repeating: "#", count: hashes)
        blank(hashes)
        let quotes = sees("\"\"\"") ? "\"\"\"" : "\""
        keep(quotes.utf8.count)
        while position < bytes.count {
            if sees(quotes + fence) {
                keep(quotes.utf8.count)
                blank(hashes)
                return
            }
            if sees("\\" + fence + "(") {
                blank(hashes + 1)
                keep()
                scanCode()
                keep()
            } else if sees("\\" + fence) {
                // The escaped character may be a quote or the end of a line.
                blank(hashes + 2)
            } else if quotes.utf8.count == 1, sees("\n") {
                return
            } else {
                blank()
            }
        }
    }

    private mutating func scanRegex(hashes: Int) {
        let end = "/" + String(repeating: "#", count: hashes)
        blank(hashes + 1)
        while position < bytes.count, !sees(end) { blank() }
        blank(hashes + 1)
    }

    private func sees(_ text: String, ahead: Int = 0) -> Bool {
        var place = position + ahead
        for byte in text.utf8 {
            guard place < bytes.count, bytes[place] == byte else { return false }
            place += 1
        }
        return true
    }

    private mutating func keep(_ count: Int = 1) {
        let end = min(position + count, bytes.count)
        output += bytes[position..<end]
        position = end
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where position < bytes.count {
            output.append(sees("\n") ? UInt8(ascii: "\n") : UInt8(ascii: " "))
            position += 1
        }
    }
}

extension UInt8 {
    /// Whether this is an ASCII letter or digit.
    fileprivate var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}
