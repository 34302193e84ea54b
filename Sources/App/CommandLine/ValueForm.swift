/// The values that a flag, a setting or an operand accepts.
///
/// The spelling in help texts, the shell completions and the readers of settings follow from it.
enum ValueForm: Sendable, Equatable {
    /// One of these words. A word such as `replay:PATH` continues with the user's own text.
    case words([String])
    /// Any of these words, separated by commas.
    case list([String])
    /// A whole number in a range, or one word.
    case number(ClosedRange<Int>, or: String? = nil)
    /// A duration in a range.
    case duration(ClosedRange<Duration>)
    /// A file or folder, or one of these words; the name stands for the path in help texts.
    case path(String = "PATH", or: [String] = [])
    /// Text of the user's own, or one of these words; the name stands for it in help texts.
    case text(String, or: [String] = [])

    /// One of the raw values of an enumeration.
    static func words<Value: CaseIterable & RawRepresentable<String>>(
        of type: Value.Type
    ) -> ValueForm {
        .words(type.allCases.map(\.rawValue))
    }

    /// The value as help texts show it: `ko|en`, `PATH|none`, `N`.
    var spelling: String {
        switch self {
        case .words(let words): words.joined(separator: "|")
        case .list(let words): words.joined(separator: ",")
        case .number(_, let word): word.map { "N|" + $0 } ?? "N"
        case .duration: "DURATION"
        case .path(let name, let words), .text(let name, let words):
            ([name] + words).joined(separator: "|")
        }
    }

    /// The values that a shell completes.
    var completions: CompletionValues {
        switch self {
        case .words(let words):
            .words(words.map { $0.hasSuffix(":PATH") ? String($0.dropLast(4)) : $0 })
        case .list(let words): .list(words)
        case .number(_, let word): word.map { .words([$0]) } ?? .none
        case .duration: .none
        case .path(_, let words): words.isEmpty ? .files : .filesOr(words)
        case .text(_, let words): words.isEmpty ? .none : .words(words)
        }
    }
}

/// The values that a shell completes for a flag or an operand.
enum CompletionValues: Sendable, Equatable {
    /// Nothing: only the user knows.
    case none
    /// One of these words.
    case words([String])
    /// Any of these words, separated by commas.
    case list([String])
    /// Files and folders.
    case files
    /// Files and folders, or one of these words.
    case filesOr([String])
}
