import Domain
import Foundation
import PresentationTerminal

/// A user who knows market terminals but no key of hoga: reads each key from the screen just before
/// pressing it.
struct FirstTimeUser {
    /// The words that the user looks for.
    struct Words: Sendable {
        let help, move, close, open, star, list, sort, search, done, clear, quit: String
        /// The search text, and the name of the market that it finds.
        let text, found: String
    }

    static func words(_ language: Language) -> Words {
        switch language {
        case .korean:
            Words(
                help: "도움말",
                move: "이동",
                close: "닫기",
                open: "열기",
                star: "관심",
                list: "목록",
                sort: "정렬",
                search: "검색",
                done: "끝",
                clear: "지우기",
                quit: "종료",
                text: "이더",
                found: "이더리움 ETH"
            )
        case .english:
            Words(
                help: "help",
                move: "move",
                close: "close",
                open: "open",
                star: "star",
                list: "list",
                sort: "sort",
                search: "search",
                done: "done",
                clear: "clear",
                quit: "quit",
                text: "eth",
                found: "Ethereum ETH"
            )
        }
    }

    let terminal: any TestTerminal
    let words: Words
    private(set) var transcript: [String] = []
    private(set) var count = 0

    init(_ terminal: some TestTerminal, _ words: Words) {
        self.terminal = terminal
        self.words = words
    }

    /// Waits until the bottom line names a key for a word, presses it and waits for the effect.
    @discardableResult
    mutating func press(
        _ word: String,
        _ aim: String,
        _ isMet: (ScreenText) -> Bool
    ) async throws
        -> ScreenText
    {
        var label: String?
        try await terminal.screen("a key for \(word)") { picture in
            label = Self.label(of: word, in: picture.bottom)
            return label != nil
        }
        return try await press(label: label ?? "", "\(aim): the bottom line says “\(word)”", isMet)
    }

    /// Opens the help, reads which key moves down, and closes it.
    mutating func readHowToMove() async throws -> String {
        let move = " " + words.move
        let help = try await press(words.help, "find") { $0.contains(move) }
        let line = help.lines.first { $0.contains(move) } ?? ""
        try await press(words.close, "find") { !$0.contains(move) }
        return line.split(separator: " ").map(String.init).first { $0 == "↓" } ?? "no key"
    }

    /// Presses the key with a label and waits for the effect.
    @discardableResult
    mutating func press(
        label: String,
        _ why: String,
        _ isMet: (ScreenText) -> Bool
    ) async throws
        -> ScreenText
    {
        guard let key = Self.key(of: label) else {
            throw TerminalFailure(description: "“\(label)” is not a key: \(why)")
        }
        try terminal.press(key)
        count += 1
        transcript.append("\(count). \(label)  (\(why))")
        return try await terminal.screen("\(why), by \(label)", where: isMet)
    }

    /// Types a search text; a syllable of Hangul counts as many keys as it has letters.
    mutating func type(_ text: String, _ isMet: (ScreenText) -> Bool) async throws {
        try terminal.type(text)
        let keys = text.decomposedStringWithCanonicalMapping.unicodeScalars.count
        transcript.append("\(count + 1)-\(count + keys). “\(text)”  (search)")
        count += keys
        try await terminal.screen("“\(text)” is found", where: isMet)
    }

    /// The label before a word in a line of keys.
    private static func label(of word: String, in line: String) -> String? {
        let parts = line.split(separator: " ").map(String.init)
        guard let place = parts.firstIndex(of: word), place > 0 else { return nil }
        // The key of a word with two parts stands before the first part.
        let isKey = key(of: parts[place - 1]) != nil
        return isKey ? parts[place - 1] : place > 1 ? parts[place - 2] : nil
    }

    /// The key with a label.
    private static func key(of label: String) -> Key? {
        if let key = Key.named.first(where: { $0.label == label }) { return key }
        let scalars = label.unicodeScalars
        guard scalars.count == 1, let scalar = scalars.first, scalar.isASCII else { return nil }
        return .character(scalar)
    }
}
